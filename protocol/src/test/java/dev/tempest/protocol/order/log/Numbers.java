package dev.tempest.protocol.order.log;

import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.state.State;
import java.util.Map;

/** A service that counts. */
interface Numbers {
  /** The method of it. */
  ServiceMethod NEXT = ServiceInterface.of(Numbers.class).methods().getFirst();

  /** How many there were, this one included. */
  @Update
  long next();

  /** One without a state. */
  static ServiceInstance instance() {
    return ServiceInstance.of(Numbers.class, Service::new);
  }

  /** It. */
  final class Service implements Numbers {
    private final Map<String, Long> numbers;

    Service(State state) {
      numbers = state.map("numbers", String.class, Long.class);
    }

    @Override
    public long next() {
      return numbers.merge("next", 1L, Long::sum);
    }
  }
}

package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;

import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A method of a service that holds all others up. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LongMethodTest {

  /** A service with such a method. */
  public interface Slow {
    /** Takes so long. */
    @Update
    void take(int millis);
  }

  private static final class SlowService implements Slow {
    @Override
    public void take(int millis) {
      long endNanos = System.nanoTime() + millis * 1_000_000L;
      while (System.nanoTime() < endNanos) {
        LockSupport.parkNanos(endNanos - System.nanoTime());
      }
    }
  }

  @Test
  void aMethodThatTakesLongIsNamedInTheLogTheSecondTime() throws Exception {
    Supplier<Map<String, ServiceInstance>> hosted =
        () -> Map.of("slow", ServiceInstance.of(Slow.class, state -> new SlowService()));
    try (Logged logged = new Logged();
        TestCluster cluster = TestCluster.of(1, false, hosted);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Slow slow = frontEnd.service(Slow.class);
      slow.take(50);
      slow.take(50);
      eventually("it is named", () -> logged.says("take of slow took "));
    }
  }
}

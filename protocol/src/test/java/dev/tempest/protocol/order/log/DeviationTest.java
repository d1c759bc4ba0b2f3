package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class DeviationTest {
  private static final Pattern SLOTS = Pattern.compile("slots (\\d+) to (\\d+)");
  private static final Order.ByConsensus ALL_EXECUTE =
      new Order.ByConsensus(
          Order.ByConsensus.Executes.ALL,
          Order.ByConsensus.Reads.LINEARIZABLE,
          Order.ByConsensus.Log.MEMORY);

  /** It counts in another way. */
  static final class Odd implements Numbers {
    private final Numbers numbers;

    Odd(State state) {
      numbers = new Numbers.Service(state);
    }

    @Override
    public long next() {
      return -numbers.next();
    }
  }

  private final long odd = new ReplicasByHand(ALL_EXECUTE).leader() % 3 + 1;
  private final ReplicasByHand group =
      new ReplicasByHand(new ReplicasByHand.Setup(3, id -> ALL_EXECUTE, 20_000, this::service));

  private ServiceInstance service(long id) {
    return id == odd ? ServiceInstance.of(Numbers.class, Odd::new) : Numbers.instance();
  }

  @Test
  void theLogOfOneThatDeviatesAgainAndAgainIsShortened() {
    for (long sequence = 1; sequence <= 5_000; sequence++) {
      group.ask(sequence, 0, group.living());
      group.run(1); // So it deviates again before it has come to what is committed.
    }
    assertThat(group.told()).isNotEmpty();
    assertThat(group.leader()).isNotEqualTo(odd);
    Matcher slots = SLOTS.matcher(group.replica(odd).toString());
    assertThat(slots.find()).isTrue();
    assertThat(Long.parseLong(slots.group(2))).isGreaterThan(4_900);
    assertThat(Long.parseLong(slots.group(1))).isGreaterThan(2_500);
  }
}

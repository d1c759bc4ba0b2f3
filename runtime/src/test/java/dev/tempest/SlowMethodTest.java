package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A method of a linearizable service that takes seconds: who runs it is busy, and not gone. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SlowMethodTest {
  /** Longer than it takes until who says nothing of itself is silent. */
  private static final int TAKES_MILLIS = 2_500;

  private static final int CALLS = 3;

  /** A service with a slow method. */
  public interface Slow {
    /** Takes its time; says how often it counts. */
    @Update
    int work();
  }

  private static final class SlowService implements Slow {
    private final Map<String, Integer> times;
    private final AtomicInteger executions;

    SlowService(State state, AtomicInteger executions) {
      this.times = state.map("times", String.class, Integer.class);
      this.executions = executions;
    }

    @Override
    public int work() {
      executions.incrementAndGet();
      try {
        Thread.sleep(TAKES_MILLIS);
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
      }
      return times.merge("", 1, Integer::sum);
    }
  }

  @ParameterizedTest
  @EnumSource(Executes.class)
  void isExecutedByNobodyWhoDoesNotHaveTo(Executes executes) throws Exception {
    AtomicInteger executions = new AtomicInteger();
    Order order =
        new Order.ByConsensus(
            executes, Order.ByConsensus.Reads.LINEARIZABLE, Order.ByConsensus.Log.MEMORY);
    try (TestCluster cluster =
            TestCluster.of(
                3,
                false,
                order,
                () ->
                    Map.of(
                        "slow",
                        ServiceInstance.of(
                            Slow.class, state -> new SlowService(state, executions))));
        FrontEnd frontEnd = cluster.frontEnd()) {
      Slow slow = frontEnd.service("slow", Slow.class);
      for (int call = 1; call <= CALLS; call++) {
        assertThat(slow.work()).isEqualTo(call);
      }
      // If busy were gone, each call would be executed once more; on a busy machine, one may be.
      assertThat(executions.get()).isBetween(CALLS, CALLS * byHowMany(executes) + CALLS - 1);
    }
  }

  private static int byHowMany(Executes executes) {
    return switch (executes) {
      case LEADER -> 1;
      case ANY -> 2; // Whoever is to, and the leader once the client asks again.
      case ALL -> 3;
    };
  }
}

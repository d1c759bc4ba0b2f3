package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Methods that need more of the stack than most. */
@Timeout(60)
final class DeepMethodTest {
  /** The usual stack of a thread holds a fifth of it. */
  private static final int DEPTH = 50_000;

  /** A service that recurs. */
  public interface Deep {
    /** Counts so deep, and writes and returns how deep it was. */
    @Update
    int count(int depth);
  }

  private static final class DeepService implements Deep {
    private final Map<String, Integer> depths;

    DeepService(State state) {
      depths = state.map("depths", String.class, Integer.class);
    }

    @Override
    public int count(int depth) {
      int counted = reach(depth); // Below zero it never gets there.
      depths.put("latest", counted);
      return counted;
    }

    private static int reach(int left) {
      return left == 0 ? 0 : 1 + reach(left - 1);
    }
  }

  @Test
  void theOutcomeDoesNotDependOnHowDeepTheStackHappensToBe() throws InterruptedException {
    try (TestCluster cluster =
            TestCluster.of(
                2, false, () -> Map.of("deep", ServiceInstance.of(Deep.class, DeepService::new)));
        FrontEnd frontEnd = FrontEnd.connect(cluster.frontEndConfig().acks(2).build())) {
      Deep deep = frontEnd.service(Deep.class);
      assertThat(deep.count(DEPTH)).isEqualTo(DEPTH);
      assertThatThrownBy(() -> deep.count(-1))
          .isInstanceOf(ServiceException.class)
          .hasMessageContaining("StackOverflowError");
      assertThat(deep.count(DEPTH)).isEqualTo(DEPTH);
      for (var node : cluster.nodes) {
        assertThat(node.status().services())
            .filteredOn(service -> service.name().equals("deep"))
            .allMatch(service -> service.active() && service.diverged() == 0);
      }
    }
  }
}

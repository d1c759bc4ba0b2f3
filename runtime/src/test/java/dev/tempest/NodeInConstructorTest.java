package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.runtime.FreePorts;
import dev.tempest.service.Read;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node used by the constructor of a record that it executes. */
@Timeout(60)
final class NodeInConstructorTest {
  private static volatile String loop = "none";
  private static volatile Runnable inLoop = () -> {};

  /** A record that uses a node. */
  public record Using(int number) {
    /** Does, in the loop of a node. */
    public Using {
      if (Thread.currentThread().getName().equals(loop)) {
        inLoop.run();
      }
    }
  }

  /** A service that would wait for a state. */
  public interface Counting {
    /** Counts. */
    @Read
    int count();
  }

  @AutoClose private final JoinedNodes nodes = new JoinedNodes();

  /** The writer that it would wait for may wait for it. */
  @Test
  void isRefusedAtOnce() throws Exception {
    Node one = nodes.join();
    int port = FreePorts.find(1).getFirst();
    Node two = nodes.join(nodes.config().toBuilder().listen("127.0.0.1:" + port).build());
    Map<String, Integer> others = two.map("others", String.class, Integer.class);
    Map<String, Using> there = two.map("using", String.class, Using.class);
    CompletableFuture<Integer> refused = new CompletableFuture<>();
    inLoop =
        () -> {
          try {
            refused(() -> others.put("a", 1));
            refused(() -> two.map("new", String.class, Integer.class));
            refused(() -> two.batch(() -> others.put("b", 1)));
            refused(() -> two.host("counting", Counting.class, state -> () -> 1));
            refused.complete(others.size());
          } catch (Throwable failed) {
            refused.completeExceptionally(failed);
          }
        };
    loop = "tempest-" + port; // The other one may execute it again, too.
    one.map("using", String.class, Using.class).put("k", new Using(1));
    assertThat(refused.get(30, TimeUnit.SECONDS)).as("it may read").isZero();
    eventually("the value has come", () -> there.containsKey("k"));
    others.put("c", 1);
    assertThat(others).containsOnlyKeys("c");
  }

  private static void refused(Runnable use) {
    assertThatIllegalStateException()
        .isThrownBy(use::run)
        .withMessageContaining("must not use the node");
  }
}

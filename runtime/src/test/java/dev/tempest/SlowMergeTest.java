package dev.tempest;

import dev.tempest.runtime.Eventually;
import dev.tempest.state.Merge;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A merge function that holds up every node that applies it. */
@Timeout(60)
final class SlowMergeTest {
  private static final long TOOK_NANOS = 60_000_000;

  private static final Merge<Long> SLOW =
      Merge.of(
          "slow",
          (a, b) -> {
            long beganNanos = System.nanoTime();
            while (System.nanoTime() - beganNanos < TOOK_NANOS) {
              Thread.onSpinWait();
            }
            return a + b;
          });

  @AutoClose private final JoinedNodes nodes = new JoinedNodes();

  @Test
  void isNamedInTheLog() {
    try (Logged logged = new Logged()) {
      Node node = nodes.join();
      node.register(SLOW);
      Map<String, Long> sums = node.map("sums", String.class, Long.class);
      Eventually.eventually(
          "it is named",
          () -> {
            sums.merge("k", 1L, SLOW);
            return logged.says("In collections, to merge by 'slow' into map 'sums' took ");
          });
    }
  }
}

package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.state.Merge;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who holds up a node is named: code that others wrote for what others write. */
@Execution(ExecutionMode.SAME_THREAD) // They share a clock.
final class SlowCodeTest {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static long nowNanos;
  private static long readingMillis;

  record Slow(int value) {
    Slow {
      nowNanos += readingMillis * NANOS_PER_MILLI;
    }
  }

  private final LocalHome one = new LocalHome().numbered(1);
  private final LocalHome two = new LocalHome().numbered(2);

  @AfterEach
  void beFast() {
    readingMillis = 0;
  }

  private List<String> complaints() {
    List<String> all = new ArrayList<>();
    for (String next = two.state.takeComplaint(); next != null; next = two.state.takeComplaint()) {
      all.add(next);
    }
    return all;
  }

  /** Soon after the start the first time may be the loading of classes. */
  @ParameterizedTest
  @CsvSource({"70, 9, 2", "70, 10, 1", "49, 9, 0", "49, 10, 0", "1000, 0, 2"})
  void constructors(long millis, int seconds, int named) {
    two.state.map("orders", String.class, Slow.class);
    two.state.slow().watch(() -> nowNanos, (what, tookNanos) -> {});
    nowNanos += seconds * 1_000L * NANOS_PER_MILLI;
    Map<String, Slow> ours = one.state.map("orders", String.class, Slow.class);
    for (int write = 1; write <= 5; write++) {
      ours.put("k" + write, new Slow(write));
      readingMillis = millis;
      two.apply(one.written);
      readingMillis = 0;
      assertThat(complaints())
          .hasSize(write == named ? 1 : 0)
          .allSatisfy(each ->
              assertThat(each)
                  .startsWith("to read a write into map 'orders' took " + millis + " ms")
                  .contains("the machine was busy, or constructors of records wait"));
    }
  }

  @Test
  void mergeFunctions() {
    Merge<Long> slow =
        Merge.of(
            "slow",
            (a, b) -> {
              nowNanos += 2_000 * NANOS_PER_MILLI;
              return a + b;
            });
    two.state.register(slow);
    two.state.map("sums", String.class, Long.class).put("k", 1L);
    List<String> told = new ArrayList<>();
    two.state.slow().watch(() -> nowNanos, (what, tookNanos) -> told.add(what + " " + tookNanos));
    one.state.register(slow);
    for (int times = 0; times < 2; times++) {
      assertThat(complaints()).isEmpty();
      one.state.map("sums", String.class, Long.class).merge("k", 1L, slow);
      two.apply(one.written);
    }
    assertThat(complaints())
        .containsExactly(
            "to merge by 'slow' into map 'sums' took 2000 ms, and a node serves nothing else"
                + " meanwhile: the machine was busy, or merge functions wait or compute for long,"
                + " which they must not. Others are not logged");
    assertThat(told)
        .as("each time")
        .containsOnly("to merge by 'slow' into map 'sums' 2000000000")
        .hasSize(2);
  }
}

package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * Which worlds a test runs: the seeds from 1 on, {@code -Dseeds=100000} of them, or with {@code
 * -Dseed=17} that one. They are run by fifties, each a test of its own.
 */
final class Seeds {
  private static final int PER_TEST = 50;

  private Seeds() {}

  /** The first seed of each test. */
  static LongStream first(int seeds) {
    Long one = Long.getLong("seed");
    return one != null
        ? LongStream.of(one)
        : LongStream.iterate(1, first -> first <= count(seeds), first -> first + PER_TEST);
  }

  /** Whether one world was asked for. */
  static boolean isReplay() {
    return Long.getLong("seed") != null;
  }

  /** Each seed of the test that begins with the first. */
  static void forEach(long first, int seeds, LongConsumer test) {
    long last = isReplay() ? first : Math.min(first + PER_TEST - 1, count(seeds));
    for (long seed = first; seed <= last; seed++) {
      test.accept(seed);
    }
  }

  /** Fails if a promise was broken. */
  static void check(Report report) {
    if (report instanceof Report.Failed failed) {
      fail(
          "-Dseed=%d (%s): %s%n%s",
          failed.seed(), failed.scenario(), failed.violations(), String.join("\n", failed.trace()));
    }
    assertThat(report.counts().steps()).isPositive();
  }

  private static long count(int seeds) {
    return Long.getLong("seeds", seeds);
  }
}

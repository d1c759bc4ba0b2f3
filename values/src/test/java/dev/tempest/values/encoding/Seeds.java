package dev.tempest.values.encoding;

import java.util.Random;
import java.util.function.Consumer;

/** Runs a randomized check: {@code -Dseed=17} replays one seed, {@code -Dseeds=1000} runs many. */
final class Seeds {
  private Seeds() {}

  static void check(int count, Consumer<Random> check) {
    Long only = Long.getLong("seed");
    long first = only == null ? 0 : only;
    long end = only == null ? Integer.getInteger("seeds", count) : only + 1;
    for (long seed = first; seed < end; seed++) {
      try {
        check.accept(new Random(seed));
      } catch (RuntimeException | Error failure) {
        throw new AssertionError("seed " + seed + ": " + failure, failure);
      }
    }
  }
}

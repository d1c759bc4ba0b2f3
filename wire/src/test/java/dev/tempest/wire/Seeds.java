package dev.tempest.wire;

import java.util.stream.LongStream;

/**
 * The seeds of a randomized test: {@code -Dseed=17} replays one, {@code -Dseeds=1000} runs many.
 */
final class Seeds {
  private Seeds() {}

  static LongStream of(int defaultCount) {
    Long one = Long.getLong("seed");
    return one != null
        ? LongStream.of(one)
        : LongStream.rangeClosed(1, Integer.getInteger("seeds", defaultCount));
  }
}

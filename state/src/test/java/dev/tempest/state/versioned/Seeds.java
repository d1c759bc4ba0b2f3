package dev.tempest.state.versioned;

import java.util.stream.LongStream;

/** The seeds of randomized tests: {@code -Dseed=17} replays one, {@code -Dseeds=1000} runs many. */
final class Seeds {
  private Seeds() {}

  static LongStream of(int usual) {
    Long one = Long.getLong("seed");
    return one != null
        ? LongStream.of(one)
        : LongStream.range(0, Integer.getInteger("seeds", usual));
  }
}

package dev.tempest.simulator;

import java.util.List;

/**
 * SplitMix64: everything random in a world comes from one seed, the same in every Java version
 * (those of the JDK have changed how they bound numbers).
 */
final class Randomness {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  Randomness(long seed) {
    state = seed;
  }

  /** Another generator, so that drawing more here does not change what is drawn there. */
  Randomness split() {
    return new Randomness(nextLong());
  }

  long nextLong() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  /** From 0 to {@code bound} exclusive. */
  int below(int bound) {
    return (int) Math.unsignedMultiplyHigh(nextLong(), bound);
  }

  int between(int min, int max) {
    return min + below(max - min + 1);
  }

  long between(long min, long max) {
    return min + Math.unsignedMultiplyHigh(nextLong(), max - min + 1);
  }

  boolean chance(int percent) {
    return below(100) < percent;
  }

  /** Exponentially distributed: most are near zero, some are several times the mean. */
  long around(long mean) {
    double uniform = ((nextLong() >>> 11) + 1) * 0x1.0p-53;
    return (long) (-StrictMath.log(uniform) * mean);
  }

  <T> T pick(List<T> choices) {
    return choices.get(below(choices.size()));
  }

  /** A good hash of 64 bits. */
  static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}

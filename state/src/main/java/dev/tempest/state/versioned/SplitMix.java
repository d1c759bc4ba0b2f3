package dev.tempest.state.versioned;

import java.util.random.RandomGenerator;

/**
 * SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) with every derived method of its own: what the
 * JDK derives from {@link #nextLong} may change between Java versions, and replicas run different
 * ones.
 *
 * <p>Not thread-safe. Not for secrets.
 */
final class SplitMix implements RandomGenerator {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long position;

  SplitMix(long seed) {
    this.position = seed;
  }

  /** Spreads every bit of {@code value} over all 64; different values stay different. */
  static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  @Override
  public long nextLong() {
    position += GOLDEN_GAMMA;
    return mix(position);
  }

  @Override
  public int nextInt() {
    return (int) (nextLong() >>> 32);
  }

  @Override
  public int nextInt(int bound) {
    return nextInt(0, bound);
  }

  @Override
  public int nextInt(int origin, int bound) {
    return (int) nextLong(origin, bound);
  }

  @Override
  public long nextLong(long bound) {
    return nextLong(0, bound);
  }

  @Override
  public long nextLong(long origin, long bound) {
    if (origin >= bound) {
      throw new IllegalArgumentException("the bound " + bound + " is not above " + origin);
    }
    long range = bound - origin;
    if (range < 0) { // Wider than 63 bits: at least every other draw falls into it.
      long drawn = nextLong();
      while (drawn < origin || drawn >= bound) {
        drawn = nextLong();
      }
      return drawn;
    }
    long drawn = nextLong() >>> 1;
    long result = drawn % range;
    while (drawn - result + (range - 1) < 0) { // The last, incomplete run of the range.
      drawn = nextLong() >>> 1;
      result = drawn % range;
    }
    return origin + result;
  }

  @Override
  public boolean nextBoolean() {
    return nextLong() < 0;
  }

  @Override
  public float nextFloat() {
    return (nextLong() >>> 40) * 0x1.0p-24f;
  }

  @Override
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  @Override
  public double nextGaussian() {
    while (true) { // Marsaglia's polar method; StrictMath is the same everywhere.
      double x = 2 * nextDouble() - 1;
      double y = 2 * nextDouble() - 1;
      double square = x * x + y * y;
      if (square < 1 && square > 0) {
        return x * StrictMath.sqrt(-2 * StrictMath.log(square) / square);
      }
    }
  }

  @Override
  public double nextExponential() {
    return -StrictMath.log(1 - nextDouble());
  }

  @Override
  public void nextBytes(byte[] bytes) {
    long drawn = 0;
    for (int i = 0; i < bytes.length; i++) {
      drawn = i % Long.BYTES == 0 ? nextLong() : drawn >>> Byte.SIZE;
      bytes[i] = (byte) drawn;
    }
  }
}

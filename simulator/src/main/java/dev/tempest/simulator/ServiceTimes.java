package dev.tempest.simulator;

/**
 * How long the executions of one replica's service take, one after the other. The same seed gives
 * the same times. Not thread-safe.
 */
public final class ServiceTimes {
  /** How often a service goes to the disk, on average. */
  private static final int ACCESSES = 4;

  /** Makes a geometric distribution with that mean. */
  private static final int ONE_MORE_PERCENT = 100 - 100 / ACCESSES;

  private static final int STEADY_PERCENT = 10;

  /** What one execution takes: first computing, then waiting. */
  public record Time(long computingNanos, long waitingNanos) {
    /** Both together. */
    public long nanos() {
      return computingNanos + waitingNanos;
    }
  }

  private final ServiceKind kind;
  private final long meanNanos;
  private final Randomness random;

  /**
   * Times of a kind.
   *
   * @param meanNanos of computing and waiting together; {@link ServiceKind#NULL} takes none
   */
  public ServiceTimes(ServiceKind kind, long meanNanos, long seed) {
    if (meanNanos < 0) {
      throw new IllegalArgumentException("a mean is not negative: " + meanNanos);
    }
    this.kind = kind;
    this.meanNanos = kind.computes() && kind.waits() ? meanNanos / 2 : meanNanos;
    this.random = new Randomness(seed);
  }

  /** Draws what the next execution takes. */
  public Time next() {
    return new Time(kind.computes() ? computing() : 0, kind.waits() ? waiting() : 0);
  }

  private long computing() {
    long apart = meanNanos * STEADY_PERCENT / 100;
    return kind.varies()
        ? random.around(meanNanos)
        : random.between(meanNanos - apart, meanNanos + apart);
  }

  private long waiting() {
    int accesses = kind.varies() ? 1 : ACCESSES;
    while (kind.varies() && random.chance(ONE_MORE_PERCENT)) {
      accesses++;
    }
    long nanos = 0;
    for (int access = 0; access < accesses; access++) {
      // Where the disk stands when it is asked is anywhere in its turn.
      nanos += random.between(0, 2 * meanNanos / ACCESSES);
    }
    return nanos;
  }
}

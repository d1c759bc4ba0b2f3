package dev.tempest.protocol.frontend;

/**
 * What answers usually take: an estimate below which 95 of 100 lie, old ones counting ever less.
 *
 * <p>Each sample moves the estimate by a share of itself, whatever the distance: a request that
 * took a retry counts as one that took longer, and not by how much. So lost datagrams do not make
 * it long.
 */
final class Latency {
  /** Timers are no finer. */
  private static final long RETRY_MIN_NANOS = 1_000_000;

  /** So many times the estimate is not usual any more. */
  private static final int RETRY_FACTOR = 3;

  /** The upward and the downward step are as 19 to 1, so that 1 of 20 samples lies above. */
  private static final int STEP_UP_DIVISOR = 8;

  private static final int STEP_DOWN_DIVISOR = 19 * STEP_UP_DIVISOR;

  /** Before so many samples it is a guess. */
  private static final int SAMPLES_MIN = 8;

  private long estimateNanos;
  private int samples;

  /** A request was answered after so long. */
  void answeredAfter(long nanos) {
    if (samples == 0) {
      estimateNanos = Math.max(1, 2 * nanos);
    } else if (nanos > estimateNanos) {
      estimateNanos += 1 + estimateNanos / STEP_UP_DIVISOR;
    } else {
      estimateNanos -= estimateNanos / STEP_DOWN_DIVISOR;
    }
    samples = Math.min(samples + 1, SAMPLES_MIN);
  }

  /** After how long a request takes longer than usual; at most {@code maxNanos}. */
  long unusualAfterNanos(long maxNanos) {
    return samples < SAMPLES_MIN ? maxNanos : Math.min(estimateNanos, maxNanos);
  }

  /** After how long a request or its answer counts as lost; at most {@code maxNanos}. */
  long lostAfterNanos(long maxNanos) {
    return samples < SAMPLES_MIN
        ? maxNanos
        : Math.min(Math.max(RETRY_FACTOR * estimateNanos, RETRY_MIN_NANOS), maxNanos);
  }
}

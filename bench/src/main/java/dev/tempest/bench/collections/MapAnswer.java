package dev.tempest.bench.collections;

import java.io.Serializable;

/**
 * What came of a {@link MapRequest}.
 *
 * @param operations how many
 * @param nanos how long all of them took together
 * @param processorNanos how long the thread that did them had a processor meanwhile, if measured
 * @param p50Nanos how long one took, if each was timed
 * @param p99Nanos the same of the slowest but one in a hundred
 * @param value what was asked for, if it is one number
 */
record MapAnswer(
    long operations, long nanos, long processorNanos, long p50Nanos, long p99Nanos, long value)
    implements Serializable {

  static MapAnswer ofValue(long value) {
    return new MapAnswer(0, 0, 0, 0, 0, value);
  }

  static MapAnswer timed(long operations, long nanos) {
    return new MapAnswer(operations, nanos, 0, 0, 0, 0);
  }

  /** How long one took in the mean. */
  double nanosPerOperation() {
    return (double) nanos / operations;
  }

  /** How long the thread had a processor for one in the mean: without waiting for others. */
  double processorNanosPerOperation() {
    return (double) processorNanos / operations;
  }
}

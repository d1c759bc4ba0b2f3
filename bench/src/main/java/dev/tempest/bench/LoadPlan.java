package dev.tempest.bench;

import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * How a client process loads a system: in a closed loop, so that a client sends its next request
 * once the last one is answered and it has thought.
 *
 * @param clients how many clients, all in one process
 * @param thinkMillis between an answer and the next request of a client
 * @param measuredMillis loaded and measured
 */
record LoadPlan(int clients, int thinkMillis, int measuredMillis) implements Serializable {
  /** So many clients at most. */
  static final int CLIENTS_MAX = 65_536;

  /** A fifth of the measured time is loaded before, so that all clients are under way. */
  private static final int WARM_UP_SHARE = 5;

  /** Such as {@code 1 client} and {@code 1,000 clients}. */
  static String clients(int number) {
    return String.format(Locale.ROOT, number == 1 ? "%,d client" : "%,d clients", number);
  }

  /** Loaded before it is measured. */
  int warmUpMillis() {
    return measuredMillis / WARM_UP_SHARE;
  }

  /** From the first request to the last. */
  Duration total() {
    return Duration.ofMillis((long) warmUpMillis() + measuredMillis);
  }

  /**
   * What came of it.
   *
   * @param nanos what requests took that ended in the measured time
   * @param measuredNanos the measured time
   * @param answered how many requests were answered, in the whole run
   * @param failed how many requests ended without an answer, in the whole run
   */
  Point result(Histogram nanos, long measuredNanos, long answered, long failed) {
    return Point.of(
            "clients",
            clients,
            "thinkMillis",
            thinkMillis,
            "measuredMillis",
            measuredMillis,
            "requests",
            nanos.getTotalCount(),
            "requestsPerSecond",
            nanos.getTotalCount() * 1e9 / measuredNanos,
            "meanMicros",
            nanos.getMean() / 1e3,
            "p50Micros",
            nanos.getValueAtPercentile(50) / 1e3,
            "p99Micros",
            nanos.getValueAtPercentile(99) / 1e3,
            "p999Micros",
            nanos.getValueAtPercentile(99.9) / 1e3,
            "maxMicros",
            nanos.getMaxValue() / 1e3,
            "answered",
            answered,
            "failed",
            failed)
        .withNanos(nanos);
  }
}

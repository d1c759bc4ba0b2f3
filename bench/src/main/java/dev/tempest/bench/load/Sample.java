package dev.tempest.bench.load;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What one run of a client process measured.
 *
 * @param interactionNanos interaction times of the requests that ended in the measured time
 * @param measuredNanos the measured time
 * @param answered how many requests were answered, in the whole run
 * @param resent how many requests were sent again because no answer came, in the whole run; {@link
 *     #NOT_COUNTED} if the client does not know
 * @param failed how many requests ended without an answer, in the whole run
 */
public record Sample(
    Histogram interactionNanos, long measuredNanos, long answered, long resent, long failed) {

  /** Longer interaction times count as this one. */
  public static final long MAX_NANOS = 120_000_000_000L;

  /** What is not known. */
  public static final long NOT_COUNTED = -1;

  private static final int SIGNIFICANT_DIGITS = 3;

  /** A histogram for interaction times. */
  public static Histogram newHistogram() {
    return new Histogram(MAX_NANOS, SIGNIFICANT_DIGITS);
  }

  /** Answered requests per second. */
  public double requestsPerSecond() {
    return interactionNanos.getTotalCount() * 1e9 / measuredNanos;
  }

  /** The interaction time that the given percentage of requests did not exceed, microseconds. */
  public double percentileMicros(double percentile) {
    return interactionNanos.getValueAtPercentile(percentile) / 1e3;
  }

  /** As one line of text. */
  public String toLine() {
    ByteBuffer buffer = ByteBuffer.allocate(interactionNanos.getNeededByteBufferCapacity());
    int length = interactionNanos.encodeIntoCompressedByteBuffer(buffer);
    String encoded = Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    return "%d %d %d %d %s".formatted(measuredNanos, answered, resent, failed, encoded);
  }

  /** The sample of a line made by {@link #toLine}. */
  public static Sample parse(String line) {
    String[] fields = line.split(" ", -1);
    if (fields.length != 5) {
      throw new IllegalArgumentException("not a sample: " + line);
    }
    ByteBuffer buffer = ByteBuffer.wrap(Base64.getDecoder().decode(fields[4]));
    try {
      return new Sample(
          Histogram.decodeFromCompressedByteBuffer(buffer, MAX_NANOS),
          Long.parseLong(fields[0]),
          Long.parseLong(fields[1]),
          Long.parseLong(fields[2]),
          Long.parseLong(fields[3]));
    } catch (DataFormatException | BufferUnderflowException e) {
      throw new IllegalArgumentException("not a sample: " + line, e);
    }
  }
}

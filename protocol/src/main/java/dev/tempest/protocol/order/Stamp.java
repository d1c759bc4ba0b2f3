package dev.tempest.protocol.order;

import dev.tempest.wire.OrderPart;

/**
 * Hybrid logical time in 64 bits: milliseconds since 1970 in the upper 48, a counter in the lower
 * 16.
 */
public final class Stamp {
  /**
   * Clocks may differ by so much, in milliseconds: nobody takes a stamp that is further ahead of
   * its own clock.
   */
  public static final int AHEAD_MAX_MILLIS = 5_000;

  /** No stamp: below all others. */
  public static final long NONE = -1;

  private static final int COUNTER_BITS = 16;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private Stamp() {}

  /** The lowest stamp at a time. */
  public static long atNanos(long nowNanos) {
    return (nowNanos / NANOS_PER_MILLI) << COUNTER_BITS;
  }

  /** The lowest stamp at a time in milliseconds. */
  public static long atMillis(long nowMillis) {
    return nowMillis << COUNTER_BITS;
  }

  /** What an update or a reply carries that has the lowest stamp at a time. */
  public static OrderPart partAt(long nowNanos) {
    return new OrderPart.Stamped(atNanos(nowNanos));
  }

  /** The stamp that an update or a reply carries; {@link #NONE} if none. */
  public static long of(OrderPart part) {
    return switch (part) {
      case OrderPart.None none -> NONE;
      case OrderPart.Stamped(long stamp) -> stamp;
      case OrderPart.Logged(long stamp, long slot) -> stamp;
      case OrderPart.Voted voted -> voted.stamp();
    };
  }

  /** The time of a stamp. */
  public static long millis(long stamp) {
    return stamp >>> COUNTER_BITS;
  }
}

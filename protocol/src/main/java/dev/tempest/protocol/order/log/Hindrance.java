package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Effect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says what keeps a replica from being a member, if it has done so for long, and now and then. */
final class Hindrance {
  private final long longNanos;
  private long sinceNanos;

  Hindrance(long longNanos, long nowNanos) {
    this.longNanos = longNanos;
    this.sinceNanos = nowNanos;
  }

  /**
   * @param why null if nothing does
   */
  void look(@Nullable String why, long nowNanos, List<Effect> effects) {
    boolean isLong = nowNanos - sinceNanos > longNanos;
    if (why != null && isLong) {
      effects.add(new Effect.Hindered(why));
    }
    if (why == null || isLong) {
      sinceNanos = nowNanos;
    }
  }
}

package dev.tempest.protocol;

import dev.tempest.wire.Message;

/**
 * What happens to a machine. Times are of the machine's own clock: nanoseconds since 1970, never
 * going back.
 */
public sealed interface Event {
  /** When it happens. */
  long nowNanos();

  /** Time has passed. */
  record Tick(long nowNanos) implements Event {}

  /** A message arrived. */
  record Received(long nowNanos, Address from, Message message) implements Event {}
}

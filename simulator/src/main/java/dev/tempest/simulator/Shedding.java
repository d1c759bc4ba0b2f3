package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Event;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Message;

/**
 * Servers that have no time or no memory for updates every now and then, in some worlds. Draws
 * nothing that others draw: worlds without it are as they were.
 */
final class Shedding {
  private static final String WHY = "this server has no memory for it";
  private static final int WORLDS_PERCENT = 20;
  private static final int SLICES_PERCENT = 25;
  private static final long SHORT_NANOS = 100_000_000;

  /** Longer than anybody waits for an update that is refused. */
  private static final long LONG_NANOS = 3_500_000_000L;

  private final long seed;
  private final long sliceNanos;
  private boolean isOn;

  private Shedding(long seed, boolean isOn) {
    this.seed = seed;
    this.sliceNanos = seed % 2 == 0 ? SHORT_NANOS : LONG_NANOS;
    this.isOn = isOn;
  }

  /** That of a world, as drawn. */
  static Shedding of(long seed) {
    long own = Randomness.mix(seed + 73);
    return new Shedding(own, new Randomness(own).chance(WORLDS_PERCENT));
  }

  /** That of a world where all have room. */
  static Shedding none() {
    return new Shedding(0, false);
  }

  /** From now on all have time and memory. */
  void end() {
    isOn = false;
  }

  /** What becomes of a message that arrives at a server. */
  Event arrived(int server, long worldNanos, long clockNanos, Address from, Message message) {
    return message instanceof Message.Update update && sheds(server, worldNanos)
        ? new Event.Shed(clockNanos, from, update, WHY)
        : new Event.Received(clockNanos, from, message);
  }

  /** Whether a server has no room now. */
  boolean sheds(int server, long worldNanos) {
    long slice = Randomness.mix(Randomness.mix(seed + server) + worldNanos / sliceNanos);
    return isOn && new Randomness(slice).chance(SLICES_PERCENT);
  }

  /** Whether an update was refused for that. */
  static boolean isIn(Answer.Refused refusal) {
    return refusal.detail().equals(WHY);
  }
}

package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Updates that a server has yet to execute, the oldest first: so many at most, and none once the
 * oldest has waited for long. Who asks then is told at once, instead of after a wait that grows.
 *
 * <p>Not thread-safe.
 */
final class UpdateBacklog {
  static final int COUNT_MAX = 65_536;

  /** In memory. */
  static final long BYTES_MAX = Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8);

  /**
   * Sooner would not help: what is refused here is executed elsewhere, mostly, and comes by gossip,
   * late, which takes longer than to execute it in its turn.
   */
  static final long WAIT_MAX_NANOS = 500_000_000;

  /** What an update takes beside its arguments, about. */
  static final int OVERHEAD_BYTES = 400;

  /** An update, who wants to know, and since when it waits. */
  record Waiting(Address from, Message.Update update, int sizeBytes, long sinceNanos) {}

  private final ArrayDeque<Waiting> oldestFirst = new ArrayDeque<>();
  private long sizeBytes;

  /** Adds an update; false if there is no room or no time for it. */
  boolean add(Address from, Message.Update update, long nowNanos) {
    Waiting oldest = oldestFirst.peekFirst();
    int addedBytes = OVERHEAD_BYTES + update.call().sizeBytes();
    if (oldest != null
        && (oldestFirst.size() >= COUNT_MAX
            || sizeBytes + addedBytes > BYTES_MAX
            || nowNanos - oldest.sinceNanos() > WAIT_MAX_NANOS)) {
      return false;
    }
    oldestFirst.addLast(new Waiting(from, update, addedBytes, nowNanos));
    sizeBytes += addedBytes;
    return true;
  }

  /** Takes the oldest; null if there is none. */
  @Nullable Waiting take() {
    Waiting oldest = oldestFirst.pollFirst();
    sizeBytes -= oldest == null ? 0 : oldest.sizeBytes();
    return oldest;
  }

  int size() {
    return oldestFirst.size();
  }
}

package dev.tempest.runtime.node;

import dev.tempest.OverloadedException;
import java.time.Duration;

/**
 * Whether there is room for another write: a writer waits for the others of its cluster before they
 * fall far behind, and a node whose others do not keep up at all takes no writes before it runs out
 * of memory.
 *
 * <p>Thread-safe.
 */
final class WritersRoom {
  private final PublishedVersion published;
  private final SharedReplica replica;
  private final Duration deadline;

  WritersRoom(PublishedVersion published, SharedReplica replica, Duration deadline) {
    this.published = published;
    this.replica = replica;
    this.deadline = deadline;
  }

  /** Whether there is. The loop makes the room, and waits for nobody. */
  boolean isThere() {
    return published.takesWrites() || (replica.isLoop() && !published.isFull());
  }

  /**
   * Waits until there is.
   *
   * @throws OverloadedException if there is none in time
   */
  void await() {
    published.requireOpen();
    boolean isThere = isThere();
    try {
      if (!isThere && !replica.isLoop()) {
        isThere = published.awaitOpen(deadline);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!isThere) {
      throw new OverloadedException(
          "nothing was written: earlier writes wait for a member that is silent or slow, or the"
              + " clock of this process has leapt or is far ahead; see its log. Try again later");
    }
  }
}

package dev.tempest.runtime.node;

import dev.tempest.OverloadedException;
import dev.tempest.runtime.heap.Heap;
import java.time.Duration;

/**
 * What a writer waits for before it writes: that the other threads here have written, and that
 * there is room. It waits for the others of its cluster before they fall far behind, and a node
 * whose others do not keep up at all takes no writes before it runs out of memory.
 *
 * <p>Thread-safe.
 */
final class WritersRoom {
  private final PublishedVersion published;
  private final SharedReplica replica;
  private final WriterLock writing;
  private final long longestNanos;

  /**
   * The room of one node.
   *
   * @param writing held by whoever writes
   * @param longest how long a writer waits, for whatever it is
   */
  WritersRoom(
      PublishedVersion published, SharedReplica replica, WriterLock writing, Duration longest) {
    this.published = published;
    this.replica = replica;
    this.writing = writing;
    this.longestNanos = longest.toNanos();
  }

  /** Until when one waits that begins now, as {@link System#nanoTime} gives it. */
  long untilNanos() {
    return System.nanoTime() + longestNanos;
  }

  /**
   * The same of one that comes to write: before it waits for anybody, and keeps anybody waiting, it
   * may have to wait for a garbage collection.
   */
  long come() {
    if (!replica.isLoop() && !writing.isHeldByCurrentThread()) {
      Heap.look();
    }
    return untilNanos();
  }

  /** Whether there is. The loop makes the room, and waits for nobody. */
  boolean isThere() {
    return published.takesWrites() || (replica.isLoop() && !published.isFull());
  }

  /**
   * Takes the lock of the writers.
   *
   * @param mayWrite whether to wait for room, too; whoever does not is to write nothing
   * @throws OverloadedException if that is not to be had in time
   */
  void enter(long untilNanos, boolean mayWrite) {
    while (true) {
      if (mayWrite) {
        await(untilNanos); // Before the lock: nobody waits for what another one waits for.
      }
      if (!writing.tryLock()) {
        writing.lockWithin(untilNanos - System.nanoTime());
      }
      if (!mayWrite || isThere()) {
        return;
      }
      writing.unlock(); // Those who had it before have taken the room.
    }
  }

  private void await(long untilNanos) {
    published.requireOpen();
    boolean isThere = isThere();
    try {
      if (!isThere && !replica.isLoop()) {
        isThere = published.awaitOpen(Duration.ofNanos(untilNanos - System.nanoTime()));
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

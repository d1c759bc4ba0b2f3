package dev.tempest.runtime.transport;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory for frames that arrive by streams. A frame takes it as its bytes arrive, not on its
 * word, and where there is none left, the slowest of those that arrive gives way: whoever trickles
 * keeps nobody out.
 *
 * <p>Thread-safe.
 */
final class StreamRoom {
  /** Before, it is not known how slow a frame is. */
  private static final long GRACE_NANOS = 1_000_000_000;

  /** A frame that arrives. */
  static final class Arrival {
    private final Runnable cut;
    private final long sinceNanos = System.nanoTime();
    private int heldBytes;
    private boolean isCut;

    /** {@code cut} ends its connection. */
    Arrival(Runnable cut) {
      this.cut = cut;
    }

    private double bytesPerNano(long nowNanos) {
      return (double) heldBytes / (nowNanos - sinceNanos);
    }
  }

  private final int bytesMax;

  /** No monitor: until Java 24 a virtual thread that waits in one keeps a carrier. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition released = lock.newCondition();
  private final Set<Arrival> arrivals = new HashSet<>();
  private int heldBytes;

  StreamRoom(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * Takes room for more of a frame, and waits for it.
   *
   * @return false if there is none in time, or the frame had to give way to another one
   */
  boolean take(Arrival arrival, int bytes, long waitNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long untilNanos = System.nanoTime() + waitNanos;
      while (!arrival.isCut && heldBytes + bytes > bytesMax) {
        long nowNanos = System.nanoTime();
        Arrival slowest = slowest(nowNanos);
        if (slowest != null && !slowest.equals(arrival)) {
          cut(slowest);
        } else if (untilNanos - nowNanos <= 0) {
          return false;
        } else {
          released.awaitNanos(Math.min(untilNanos - nowNanos, GRACE_NANOS));
        }
      }
      if (!arrival.isCut) {
        arrivals.add(arrival);
        arrival.heldBytes += bytes;
        heldBytes += bytes;
      }
      return !arrival.isCut;
    } finally {
      lock.unlock();
    }
  }

  /** The slowest of those that arrive gives way; false if none is known to be slow. */
  boolean cutSlowest() {
    lock.lock();
    try {
      Arrival slowest = slowest(System.nanoTime());
      if (slowest != null) {
        cut(slowest);
      }
      return slowest != null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A frame has arrived and is read, and keeps so much of its room; false if it has given way to
   * another one.
   */
  boolean arrived(Arrival arrival, int bytes) {
    lock.lock();
    try {
      arrivals.remove(arrival);
      if (!arrival.isCut) {
        release(arrival.heldBytes - bytes);
        arrival.heldBytes = bytes;
      }
      return !arrival.isCut;
    } finally {
      lock.unlock();
    }
  }

  /** A frame does not arrive, or nobody takes it. */
  void end(Arrival arrival) {
    lock.lock();
    try {
      arrivals.remove(arrival);
      release(arrival.heldBytes);
      arrival.heldBytes = 0;
    } finally {
      lock.unlock();
    }
  }

  /** What has arrived is taken. */
  void release(int bytes) {
    lock.lock();
    try {
      heldBytes -= bytes;
      released.signalAll();
    } finally {
      lock.unlock();
    }
  }

  int heldBytes() {
    lock.lock();
    try {
      return heldBytes;
    } finally {
      lock.unlock();
    }
  }

  private void cut(Arrival slowest) {
    slowest.isCut = true;
    end(slowest);
    slowest.cut.run();
  }

  private @Nullable Arrival slowest(long nowNanos) {
    Arrival slowest = null;
    for (Arrival each : arrivals) {
      if (nowNanos - each.sinceNanos >= GRACE_NANOS
          && (slowest == null || each.bytesPerNano(nowNanos) < slowest.bytesPerNano(nowNanos))) {
        slowest = each;
      }
    }
    return slowest;
  }
}

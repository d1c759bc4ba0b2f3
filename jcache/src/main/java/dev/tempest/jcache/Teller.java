package dev.tempest.jcache;

import dev.tempest.runtime.LogLines;
import java.lang.System.Logger.Level;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * The thread of one cache that calls listeners, event by event, in the order in which these were
 * given to it. It ends while there is nothing to tell. Thread-safe.
 *
 * <p>A limited number of events waits. Writers {@linkplain #awaitRoom wait for room} before they
 * change anything, so what they have done is told; an operation on many entries waits once. Nobody
 * waits to tell of an entry that has expired: without room such an event is left out, and the log
 * says how many were.
 */
final class Teller implements AutoCloseable {
  /** So many events wait for slow listeners; and those of one operation of each thread more. */
  static final int WAITING_MAX = 10_000;

  private static final System.Logger LOGGER = LogLines.logger(Teller.class);

  private final String cache;
  private final int waitingMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final AtomicLong leftOut = new AtomicLong();
  private volatile @Nullable Thread thread;
  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          0,
          1,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(), // Its limit is kept before anything is put in.
          Thread.ofVirtual().name("tempest-jcache-listeners").factory(),
          new ThreadPoolExecutor.DiscardPolicy()); // Once it is closed.

  Teller(String cache, int waitingMax) {
    this.cache = cache;
    this.waitingMax = waitingMax;
  }

  /**
   * Waits until there is room for another event.
   *
   * @throws CacheException if there is none for 10 s, or if a listener asks, who would wait for
   *     itself
   */
  void awaitRoom() {
    if (hasRoom()) {
      return;
    }
    if (Thread.currentThread().equals(thread)) {
      throw new CacheException(
          "Nothing was written: %d events wait for this listener, which writes to its own cache"
              .formatted(waitingMax));
    }
    lock.lock();
    try {
      long leftNanos = KeyLocks.WAIT_MAX.toNanos();
      while (!hasRoom() && !executor.isShutdown()) {
        if (leftNanos <= 0) {
          throw new CacheException(
              "Nothing was written: %d events wait for asynchronous listeners, which are too slow"
                  .formatted(waitingMax));
        }
        leftNanos = room.awaitNanos(leftNanos);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new CacheException("Interrupted; nothing was written", interrupted);
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoom() {
    return executor.getQueue().size() < waitingMax;
  }

  /** Tells soon. The caller has waited for room. */
  void tell(Runnable event) {
    executor.execute(() -> run(event));
  }

  /** Tells soon, if there is room. */
  void tellIfThereIsRoom(Runnable event) {
    if (hasRoom()) {
      long missing = leftOut.getAndSet(0);
      if (missing > 0) {
        warn("%d events of entries that have expired were left out".formatted(missing), null);
      }
      tell(event);
    } else if (leftOut.incrementAndGet() == 1) {
      warn("%d events wait, so expired entries are not told of".formatted(waitingMax), null);
    }
  }

  private void run(Runnable event) {
    thread = Thread.currentThread();
    signalRoom();
    try {
      event.run();
    } catch (RuntimeException failed) {
      warn("one threw, and is called again", failed);
    }
  }

  private void signalRoom() {
    lock.lock();
    try {
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void warn(String what, @Nullable Throwable failed) {
    LOGGER.log(Level.WARNING, "Listeners of cache " + cache + ": " + what, failed);
  }

  /** Tells nothing any more, and interrupts the listener that it calls. */
  @Override
  public void close() {
    executor.shutdownNow();
    signalRoom();
  }
}

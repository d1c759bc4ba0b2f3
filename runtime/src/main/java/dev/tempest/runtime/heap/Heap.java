package dev.tempest.runtime.heap;

import dev.tempest.OverloadedException;
import dev.tempest.runtime.LogLines;
import dev.tempest.state.versioned.Version;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The heap of this process, in which all nodes keep their state, beside what the application keeps.
 * A node refuses what adds to it before it is full: a full heap ends the process, or leaves it no
 * time for anything but collecting garbage, and all nodes of a cluster hold the same.
 *
 * <p>Thread-safe.
 */
public final class Heap {
  private static final System.Logger LOGGER = LogLines.logger(Heap.class);
  private static final Duration EVERY = Duration.ofMillis(100);
  private static final long LOOK_BYTES = Runtime.getRuntime().maxMemory() / 200;

  /** What a write takes beside its contents, about. */
  private static final int OVERHEAD_BYTES = 200;

  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();
  private static final String COLLECTIONS = "-XX:-DisableExplicitGC";
  private static final String NO_COLLECTIONS = "-XX:+DisableExplicitGC";
  private static final String FULL =
      "the memory of this process is all but full. Start it with a larger -Xmx, or let it hold"
          + " less";

  private static final Heap OF_PROCESS = new Heap();

  /** Where objects live that have outlived some collections. */
  private final List<MemoryPoolMXBean> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(each -> each.getType() == MemoryType.HEAP && each.isUsageThresholdSupported())
          .toList();

  private final boolean mayCollect = mayCollect();

  /** Not a monitor: virtual threads that wait for one keep others from running. */
  private final ReentrantLock looking = new ReentrantLock();

  private final FullHeap readings = new FullHeap(System.nanoTime());
  private volatile boolean isFull;

  /** Written since the last look. */
  private final AtomicLong unseenBytes = new AtomicLong();

  private boolean isTold;
  private long toldNanos;

  private Heap() {}

  private static boolean mayCollect() {
    List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments();
    return options.lastIndexOf(NO_COLLECTIONS) <= options.lastIndexOf(COLLECTIONS);
  }

  /** Why nothing is to be added to what is kept; empty if it may. */
  public static String hindrance() {
    return OF_PROCESS.isFull ? FULL : "";
  }

  /**
   * Requires that there is room for one version of some collections in place of another: there is,
   * if it has no more entries.
   */
  public static void requireRoom(Version before, Version after) {
    if (OF_PROCESS.isFull && after.entries() > before.entries()) {
      throw new OverloadedException("nothing was written: " + FULL);
    }
  }

  /** So much was written. */
  public static void wrote(int bytes) {
    OF_PROCESS.unseenBytes.addAndGet(bytes + OVERHEAD_BYTES);
  }

  /**
   * Looks, if much was written since the last time: those who write fast would fill the heap before
   * it is looked at the next time. The calling thread may have to wait for a garbage collection.
   */
  public static void look() {
    if (OF_PROCESS.unseenBytes.get() >= LOOK_BYTES) {
      OF_PROCESS.lookNow();
    }
  }

  /** Looks again and again until a thread has ended; each node has this done. */
  public static void watch(Thread loop) {
    try {
      while (!loop.join(EVERY)) {
        OF_PROCESS.lookNow();
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private void lookNow() {
    looking.lock();
    try {
      unseenBytes.set(0);
      long beganNanos = System.nanoTime();
      if (readings.read(beganNanos, part(MemoryPoolMXBean::getUsage))) {
        collect(beganNanos);
      }
      isFull = readings.isFull();
      tell();
    } catch (OutOfMemoryError full) {
      isFull = mayCollect; // Until the next look.
    } finally {
      looking.unlock();
    }
  }

  private void collect(long beganNanos) {
    if (mayCollect) {
      System.gc();
      readings.collected(beganNanos, System.nanoTime(), part(MemoryPoolMXBean::getCollectionUsage));
    } else {
      readings.collected(beganNanos, beganNanos, 0);
      tellThatNobodyCanTell();
    }
  }

  private void tellThatNobodyCanTell() {
    if (!isTold) {
      isTold = true;
      LOGGER.log(
          Level.WARNING,
          "Much of the memory of this process is in use, of which some may be garbage. With"
              + " {0} that cannot be told: nothing is refused before the memory is full",
          NO_COLLECTIONS);
    }
  }

  private void tell() {
    long nowNanos = System.nanoTime();
    if (isFull && (!isTold || nowNanos - toldNanos >= QUIET_NANOS)) {
      isTold = true;
      toldNanos = nowNanos;
      LOGGER.log(
          Level.WARNING,
          "The memory of this process is all but full: of that for older objects, {0} % were in use"
              + " after a garbage collection. Until there is room again, it refuses updates of"
              + " services, and what would add entries to collections. Start it with a larger -Xmx,"
              + " or let it hold less",
          Math.round(100 * part(MemoryPoolMXBean::getCollectionUsage)));
    } else if (!isFull && isTold && mayCollect) {
      isTold = false;
      LOGGER.log(Level.INFO, "There is room in the memory of this process again");
    }
  }

  private double part(Function<MemoryPoolMXBean, @Nullable MemoryUsage> reading) {
    long usedBytes = 0;
    long maxBytes = 0;
    for (MemoryPoolMXBean each : pools) {
      MemoryUsage usage = reading.apply(each);
      if (usage != null) { // Else the collector does not tell.
        usedBytes += usage.getUsed();
        maxBytes = Math.max(maxBytes, usage.getMax()); // Less than 0 if it is not known.
      }
    }
    return (double) usedBytes / (maxBytes > 0 ? maxBytes : Runtime.getRuntime().maxMemory());
  }
}

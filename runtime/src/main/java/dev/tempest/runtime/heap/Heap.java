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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The heap of this process, in which all nodes keep their state, beside what the application keeps.
 * A node refuses what adds to it before it is full: a full heap would end the process, or leave it
 * no time for anything but collecting garbage; and after it, or with it, all others, which hold the
 * same.
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
  private static final String FULL =
      "the memory of this process is all but full. Start it with a larger -Xmx, or let it hold"
          + " less";

  private static final Heap OF_PROCESS = new Heap();

  /** Where objects live that have outlived some collections. */
  private final List<MemoryPoolMXBean> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(each -> each.getType() == MemoryType.HEAP && each.isUsageThresholdSupported())
          .toList();

  private final FullHeap readings = new FullHeap(System.nanoTime());
  private volatile boolean isFull;

  /** Written since the last look. */
  private final AtomicLong unseenBytes = new AtomicLong();

  private boolean hasSaidSo;
  private long saidNanos = System.nanoTime() - QUIET_NANOS;

  private Heap() {}

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

  /**
   * So much was written; the calling thread may have to wait for a garbage collection. Whoever
   * writes fast fills the heap between two looks else.
   */
  public static void wrote(int bytes) {
    if (OF_PROCESS.unseenBytes.addAndGet(bytes + OVERHEAD_BYTES) >= LOOK_BYTES) {
      OF_PROCESS.look();
    }
  }

  /** Looks after the heap of this process until a thread has ended; each node has this done. */
  public static void watch(Thread loop) {
    try {
      while (!loop.join(EVERY)) {
        OF_PROCESS.look();
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void look() {
    unseenBytes.set(0);
    try {
      long beganNanos = System.nanoTime();
      if (readings.read(beganNanos, part(MemoryPoolMXBean::getUsage))) {
        System.gc();
        readings.collected(
            beganNanos, System.nanoTime(), part(MemoryPoolMXBean::getCollectionUsage));
      }
      isFull = readings.isFull();
      tell();
    } catch (OutOfMemoryError full) {
      isFull = true; // Until the next look.
    }
  }

  private void tell() {
    long nowNanos = System.nanoTime();
    if (isFull && nowNanos - saidNanos >= QUIET_NANOS) {
      hasSaidSo = true;
      saidNanos = nowNanos;
      LOGGER.log(
          Level.WARNING,
          "The memory of this process is all but full: a garbage collection has left {0} % of it in"
              + " use. Until there is room again, it refuses updates of services, and what would"
              + " add entries to collections. Start it with a larger -Xmx, or let it hold less",
          Math.round(100 * part(MemoryPoolMXBean::getCollectionUsage)));
    } else if (!isFull && hasSaidSo) {
      hasSaidSo = false;
      LOGGER.log(Level.INFO, "There is room in the memory of this process again");
    }
  }

  private double part(Function<MemoryPoolMXBean, @Nullable MemoryUsage> reading) {
    long usedBytes = 0;
    long maxBytes = 1;
    for (MemoryPoolMXBean each : pools) {
      MemoryUsage usage = reading.apply(each);
      if (usage != null) { // Else the collector does not tell.
        usedBytes += usage.getUsed();
        maxBytes = Math.max(maxBytes, usage.getMax());
      }
    }
    return (double) usedBytes / maxBytes;
  }
}

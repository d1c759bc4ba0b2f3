package dev.tempest.cli;

import dev.tempest.runtime.LogLines;
import java.lang.System.Logger.Level;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.List;

/** Says so, once a minute, while the heap of this process is full. */
final class HeapWatch implements Runnable {
  private static final System.Logger LOGGER = LogLines.logger(HeapWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration QUIET = Duration.ofMinutes(1);

  /** Some collectors have beans for what they do beside the application, too. */
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans().stream()
          .filter(each -> !each.getName().endsWith("Cycles"))
          .toList();

  private final List<MemoryPoolMXBean> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(each -> each.getType() == MemoryType.HEAP)
          .toList();

  private HeapWatch() {}

  static void start() {
    Thread.ofPlatform().daemon().name("heap").start(new HeapWatch());
  }

  @Override
  public void run() {
    FullHeap heap = new FullHeap(System.nanoTime(), collectedMillis());
    try {
      while (true) {
        Thread.sleep(look(heap) ? QUIET : EVERY);
      }
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether it has said something. */
  private boolean look(FullHeap heap) {
    try {
      if (!heap.isMet(System.nanoTime(), collectedMillis(), inUse())) {
        return false;
      }
      LOGGER.log(
          Level.WARNING,
          "The memory of this process is all but full: for ten seconds it has done little but"
              + " collect garbage. Start it with a larger -Xmx, or let it hold less");
      return true;
    } catch (OutOfMemoryError full) { // The next time there may be enough to say so.
      return false;
    }
  }

  private long collectedMillis() {
    long sum = 0;
    for (GarbageCollectorMXBean each : collectors) {
      sum += Math.max(0, each.getCollectionTime()); // Less than zero if it is not known.
    }
    return sum;
  }

  private double inUse() {
    long bytes = 0;
    for (MemoryPoolMXBean each : pools) {
      MemoryUsage left = each.getCollectionUsage();
      if (left != null) {
        bytes += left.getUsed();
      }
    }
    return (double) bytes / Runtime.getRuntime().maxMemory();
  }
}

package dev.tempest.cli;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.Optional;

/**
 * Ends a server whose memory is full where Java lets it go on: most collectors throw no {@code
 * OutOfMemoryError} as long as each collection gains a little, and the process then does next to
 * nothing else, for ever. Where Kubernetes or systemd start it again, the others have its state.
 */
final class FullHeap implements Runnable {
  private static final String WHY =
      "the memory of this process is full, so it did little but collect garbage. Start it with a"
          + " larger -Xmx, or let it hold less";
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** A state that is taken over, or a checkpoint, is done by then. */
  private static final int FULL_TIMES = 10;

  private static final double IN_USE = 0.9;
  private static final double COLLECTING = 0.5;

  /** For those who close what can hardly run any more. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Runnable close;
  private volatile boolean isMet;
  private long atNanos = System.nanoTime();
  private long collectedMillis = collectedMillis();
  private int fullTimes;

  private FullHeap(Runnable close) {
    this.close = close;
  }

  /** Watches this process, and closes what it runs for once its memory is full. */
  static FullHeap watch(Runnable close) {
    FullHeap heap = new FullHeap(close);
    Thread.ofPlatform().daemon().name("memory").start(heap);
    return heap;
  }

  /** What to say if that is why it was closed. */
  Optional<String> met() {
    return isMet ? Optional.of(WHY) : Optional.empty();
  }

  @Override
  public void run() {
    try {
      while (!isFull()) {
        Thread.sleep(EVERY);
      }
      isMet = true;
      Thread.ofPlatform().daemon().name("end").start(FullHeap::halt);
      close.run();
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    }
  }

  private static void halt() {
    try {
      Thread.sleep(PATIENCE);
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(ExitCode.BUG);
  }

  private boolean isFull() {
    long nowNanos = System.nanoTime();
    long nowCollectedMillis = collectedMillis();
    double spentNanos = (nowCollectedMillis - collectedMillis) * 1e6;
    boolean collects = spentNanos >= COLLECTING * (nowNanos - atNanos);
    atNanos = nowNanos;
    collectedMillis = nowCollectedMillis;
    fullTimes = collects && usedShare() >= IN_USE ? fullTimes + 1 : 0;
    return fullTimes >= FULL_TIMES;
  }

  /** In which nothing else ran: some collectors have beans for cycles beside the application. */
  private static long collectedMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(each -> !each.getName().endsWith("Cycles"))
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .filter(millis -> millis > 0) // Else it is not known.
        .sum();
  }

  /** What the latest collections have left. */
  private static double usedShare() {
    long bytes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage left = pool.getCollectionUsage();
      if (pool.getType() == MemoryType.HEAP && left != null) {
        bytes += left.getUsed();
      }
    }
    return (double) bytes / Runtime.getRuntime().maxMemory();
  }
}

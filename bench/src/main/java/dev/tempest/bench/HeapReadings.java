package dev.tempest.bench;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** What is left in the heap of this process after each collection, since this was made. */
final class HeapReadings {
  private final Set<String> heapPools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .collect(Collectors.toSet());
  private final ConcurrentLinkedQueue<Point> readings = new ConcurrentLinkedQueue<>();

  HeapReadings() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener((notification, _) -> read(notification), null, null);
      }
    }
  }

  private void read(Notification notification) {
    if (notification.getUserData() instanceof CompositeData data) {
      GcInfo collection = GarbageCollectionNotificationInfo.from(data).getGcInfo();
      add(
          collection.getMemoryUsageAfterGc().entrySet().stream()
              .filter(pool -> heapPools.contains(pool.getKey()))
              .mapToLong(pool -> pool.getValue().getUsed())
              .sum());
    }
  }

  private void add(long bytes) {
    readings.add(Point.of("epochMillis", System.currentTimeMillis(), "heapBytes", bytes));
  }

  /** Collects all garbage, reads once more, and returns the readings since the last time. */
  List<Point> take() {
    System.gc();
    add(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    List<Point> taken = new ArrayList<>();
    for (Point reading = readings.poll(); reading != null; reading = readings.poll()) {
      taken.add(reading);
    }
    return taken;
  }
}

package dev.tempest.cbor;

import com.sun.management.ThreadMXBean;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.ValueType;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * Reading many small containers allocates in proportion to their bytes. Most of it is garbage at
 * once: what is read is written again to be compared, sets element by element.
 */
class CborMemoryTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int FACTOR = 1_000;
  private static final int ANYWAY_BYTES = 64 << 10;
  private static final int MANY = 10_000;

  static class Small {
    int number;
  }

  static class Containers {
    List<List<String>> lists = new ArrayList<>();
    List<Set<String>> sets = new ArrayList<>();
    List<Map<String, String>> maps = new ArrayList<>();
    List<Small> objects = new ArrayList<>();
    List<int[]> arrays = new ArrayList<>();
  }

  @Test
  void manySmallContainersTakeMemoryInProportion() {
    List<Consumer<Containers>> kinds =
        List.of(
            all -> all.lists.add(List.of()),
            all -> all.sets.add(Set.of()),
            all -> all.sets.add(Set.of("a")),
            all -> all.maps.add(Map.of()),
            all -> all.maps.add(Map.of("a", "b")),
            all -> all.objects.add(new Small()),
            all -> all.arrays.add(new int[0]));
    ValueType<Containers> type = ValueType.any(Containers.class);
    SoftAssertions softly = new SoftAssertions();
    for (int kind = 0; kind < kinds.size(); kind++) {
      Containers all = new Containers();
      for (int i = 0; i < MANY; i++) {
        kinds.get(kind).accept(all);
      }
      ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
      type.write(all, writer);
      Bytes bytes = writer.toBytes();
      long allocated = allocatedBytes(() -> type.read(bytes.reader()));
      softly
          .assertThat(allocated)
          .as("kind %s in %s bytes: factor %s", kind, bytes.size(), allocated / bytes.size())
          .isLessThan((long) FACTOR * bytes.size() + ANYWAY_BYTES);
    }
    softly.assertAll();
  }

  private static long allocatedBytes(Runnable reading) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      reading.run();
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }
}

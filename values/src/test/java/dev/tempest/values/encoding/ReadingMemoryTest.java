package dev.tempest.values.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Bytes take at most 64 times their size in memory when they are read, whatever they say. */
class ReadingMemoryTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int FACTOR = 64;
  private static final int ANYWAY_BYTES = 16 << 10;

  /** What is left of a thread's buffer when it takes the next one counts as allocated, too. */
  private static final int OF_BUFFERS_SHARE = 64;

  private static final ValueType<Object> ANY = ValueType.any(Object.class);

  @Test
  void countsWithinCountsTakeNoMemory() {
    int size = 1 << 20;
    for (int kind : List.of(tagOf(List.of()), tagOf(Set.of()), tagOf(Map.of()))) {
      ByteWriter writer = new ByteWriter(2 * size);
      for (int depth = 0; depth < 60; depth++) {
        int left = size - 10 * depth;
        writer.writeByte(kind);
        writer.writeVarint(left);
        writer.writeVarint((left - 10) / 2); // As many elements as may be.
      }
      while (writer.size() < size + 20) {
        writer.writeByte(0);
      }
      Bytes bytes = writer.toBytes();
      assertThat(allocatedBytes(() -> ANY.read(bytes.reader())))
          .isLessThan((long) FACTOR * size + ANYWAY_BYTES);
    }
  }

  @Test
  void manySmallContainersTakeLittle() {
    for (Object small :
        List.of(List.of(), Set.of(), Map.of(), Set.of(1), Map.of(1, 2), List.of(List.of(1)))) {
      List<Object> many = new ArrayList<>();
      for (int i = 0; i < 100_000; i++) {
        many.add(small);
      }
      Bytes bytes = ValueTypeTest.bytes(ANY, many);
      assertThat(allocatedBytes(() -> ANY.read(bytes.reader())))
          .as("%s in %s bytes", small, bytes.size())
          .isLessThan((long) FACTOR * bytes.size() + ANYWAY_BYTES);
    }
  }

  @Test
  void manySmallValuesOfOtherKindsTakeLittle() {
    ValueType<Object> type =
        ValueType.any(Object.class, int[].class, String[].class, int[][].class);
    for (Object small :
        List.of(
            Optional.empty(),
            Optional.of(1),
            Optional.of(Optional.empty()),
            new byte[0],
            new int[0],
            new String[0],
            new int[][] {{}, {}, {}},
            Instant.EPOCH,
            Duration.ZERO,
            LocalDate.EPOCH,
            LocalTime.MIDNIGHT,
            LocalDate.EPOCH.atStartOfDay(),
            OffsetDateTime.of(LocalDate.EPOCH.atStartOfDay(), ZoneOffset.UTC),
            ZonedDateTime.of(LocalDate.EPOCH.atStartOfDay(), ZoneOffset.UTC),
            ZonedDateTime.of(LocalDate.EPOCH.atStartOfDay(), ZoneId.of("UTC+1")),
            ZoneOffset.ofHours(1),
            ZoneId.of("UTC+1"),
            Period.ofDays(1),
            Year.of(1),
            YearMonth.of(1, 1),
            MonthDay.of(1, 1))) {
      Bytes bytes = ValueTypeTest.bytes(type, Collections.nCopies(10_000, small));
      assertThat(allocatedBytes(() -> type.read(bytes.reader())))
          .as("%s %s in %s bytes", small.getClass(), small, bytes.size())
          .isLessThan((long) FACTOR * bytes.size() + ANYWAY_BYTES);
    }
  }

  @Test
  @SuppressWarnings("unchecked") // To see that it is refused.
  void largeSetsAndMapsAreLookedUpByHash() {
    Set<Object> set = new TreeSet<>();
    Map<Object, Object> map = new TreeMap<>();
    for (int i = 0; i < 1_000; i++) {
      set.add(i);
      map.put(i, -i);
    }
    for (int size : List.of(1_000, 8, 0)) {
      set.removeIf(each -> (Integer) each >= size);
      map.keySet().removeIf(each -> (Integer) each >= size);
      Object ourSet = read(set);
      Object ourMap = read(map);
      assertThat(ourSet).isEqualTo(set).hasSameHashCodeAs(set).hasToString(set.toString());
      assertThat(ourMap).isEqualTo(map).hasSameHashCodeAs(map).hasToString(map.toString());
      assertThat(set).isEqualTo(ourSet);
      assertThat(map).isEqualTo(ourMap);
      Set<?> sets = (Set<?>) ourSet;
      Map<?, ?> maps = (Map<?, ?>) ourMap;
      for (int i = 0; i < size; i++) {
        assertThat(sets.contains(i)).isTrue();
        assertThat(maps.get(i)).isEqualTo(-i);
        assertThat(maps.entrySet().contains(Map.entry(i, -i))).isTrue();
      }
      assertThat(sets.contains(-7)).isFalse();
      assertThat(maps.containsKey(-7)).isFalse();
      assertThatThrownBy(() -> ((Set<Object>) sets).add("more"))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> ((Map<Object, Object>) maps).put("more", 1))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  private static Object read(Object value) {
    return Objects.requireNonNull(ANY.read(ValueTypeTest.bytes(ANY, value).reader()));
  }

  private static int tagOf(Object value) {
    return ValueTypeTest.bytes(ANY, value).reader().readByte();
  }

  /** The first time through any code allocates for the virtual machine itself. */
  private static long allocatedBytes(Runnable reading) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      reading.run();
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least - least / OF_BUFFERS_SHARE;
  }
}

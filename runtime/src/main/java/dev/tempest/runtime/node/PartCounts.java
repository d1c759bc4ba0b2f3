package dev.tempest.runtime.node;

import dev.tempest.Registration;
import dev.tempest.runtime.LogLines;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** What parts that use a node count, and it does not. Thread-safe. */
final class PartCounts {
  private static final System.Logger LOGGER = LogLines.logger(PartCounts.class);
  private static final Pattern NAME = Pattern.compile("[a-z]{1,32}");

  private final List<Source> sources = new ArrayList<>();

  /** What those have counted that are closed: while others go on, no sum falls. */
  private final Map<String, Map<String, Long>> closed = new TreeMap<>();

  /** Equal to no other: each is closed by itself. */
  private static final class Source {
    private final String part;
    private final Supplier<Map<String, Long>> counts;

    Source(String part, Supplier<Map<String, Long>> counts) {
      this.part = part;
      this.counts = counts;
    }

    void addTo(Map<String, Long> sums) {
      try {
        counts.get().forEach((kind, count) -> sums.merge(kind, count, Long::sum));
      } catch (RuntimeException failed) {
        LOGGER.log(Level.WARNING, "What " + part + " counts could not be told", failed);
      }
    }
  }

  synchronized Registration add(String part, Supplier<Map<String, Long>> counts) {
    if (!NAME.matcher(part).matches()) {
      throw new IllegalArgumentException(
          "a part has 1 to 32 letters of a-z, unlike '" + part + "'");
    }
    Source source = new Source(part, counts);
    sources.add(source);
    return () -> close(source);
  }

  private synchronized void close(Source source) {
    if (sources.remove(source)) {
      source.addTo(closed.computeIfAbsent(source.part, first -> new TreeMap<>()));
    }
  }

  /** By part and kind. */
  synchronized Map<String, Map<String, Long>> all() {
    SortedMap<String, Map<String, Long>> all = new TreeMap<>();
    for (Source source : sources) {
      source.addTo(
          all.computeIfAbsent(
              source.part, part -> new TreeMap<>(closed.getOrDefault(part, Map.of()))));
    }
    return all;
  }
}

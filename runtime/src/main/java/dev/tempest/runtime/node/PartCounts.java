package dev.tempest.runtime.node;

import dev.tempest.Registration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** What parts that use a node count, and it does not. Thread-safe. */
final class PartCounts {
  private final List<Source> sources = new CopyOnWriteArrayList<>();

  /** Equal to no other: each is closed by itself. */
  private static final class Source {
    private final String part;
    private final Supplier<Map<String, Long>> counts;

    Source(String part, Supplier<Map<String, Long>> counts) {
      this.part = part;
      this.counts = counts;
    }
  }

  Registration add(String part, Supplier<Map<String, Long>> counts) {
    Source source = new Source(part, counts);
    sources.add(source);
    return () -> sources.remove(source);
  }

  /** By part and kind. */
  Map<String, Map<String, Long>> all() {
    SortedMap<String, Map<String, Long>> all = new TreeMap<>();
    for (Source source : sources) {
      Map<String, Long> sums = all.computeIfAbsent(source.part, first -> new TreeMap<>());
      source.counts.get().forEach((kind, count) -> sums.merge(kind, count, Long::sum));
    }
    return all;
  }
}

package dev.tempest.cluster;

import dev.tempest.Node;
import dev.tempest.state.Counter;
import dev.tempest.state.Merge;
import dev.tempest.state.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;

/**
 * The collections that the processes of these tests share, one of every kind, and what is written
 * to them: in rounds, so that of every round it can be said what it must have left behind.
 */
final class Contents {
  private static final int CONTESTED = 16;
  private static final int NAMED_MAX = 10;
  private static final String ALL = "all";

  /** What a round puts beside its key. */
  record Word(String writer, int round) {}

  private final Node node;
  private final Map<String, Word> words;
  private final Counter ticks;
  private final Map<String, String> passing;
  private final Map<Integer, String> contested;
  private final Map<String, Long> sums;
  private final Set<String> seen;
  private final NavigableMap<String, Integer> sorted;
  private final NavigableSet<String> ordered;
  private final List<String> listed;
  private final Deque<String> queued;
  private final Value<String> latest;

  Contents(Node node) {
    this.node = node;
    this.words = node.map("words");
    this.ticks = node.counter("ticks");
    this.passing = node.map("passing");
    this.contested = node.map("contested");
    this.sums = node.map("sums");
    this.seen = node.set("seen");
    this.sorted = node.sortedMap("sorted");
    this.ordered = node.sortedSet("ordered");
    this.listed = node.list("listed");
    this.queued = node.deque("queued");
    this.latest = node.value("latest");
  }

  /** Writes to every collection. When it returns, all of it is acknowledged. */
  void round(String writer, int round) {
    String key = key(writer, round);
    node.batch(() -> {
      words.put(key, new Word(writer, round));
      ticks.increment();
    });
    node.batch(() -> {
      sums.merge(ALL, 1L, Merge.sum());
      sums.merge(writer, 1L, Merge.sum());
    });
    seen.add(key);
    sorted.put(key, round);
    ordered.add(key);
    listed.add(key);
    passing.put(key, writer);
    passing.remove(key(writer, round - 1));
    queued.addLast(key);
    queued.removeFirstOccurrence(key(writer, round - 1));
    contested.put(round % CONTESTED, key);
    latest.set(key);
  }

  /**
   * What is wrong after these rounds were acknowledged, in words; empty if all of it is there.
   * Nobody else may write meanwhile.
   *
   * @param rounds how many each writer made, its first being 0
   */
  List<String> missing(SortedMap<String, Integer> rounds) {
    List<String> missing = new ArrayList<>();
    rounds.forEach((writer, count) -> requireRounds(writer, count, missing));
    long counted = ticks.get();
    require(counted == words.size(), counted + " ticks, " + words.size() + " words", missing);
    long sum = sums.values().stream().mapToLong(Long::longValue).sum();
    requireListedOnce(rounds.keySet(), missing);
    require(2 * sums.getOrDefault(ALL, 0L) == sum, "the sum is not one of " + sums, missing);
    return missing.subList(0, Math.min(missing.size(), NAMED_MAX));
  }

  /** Of a writer that was killed in the middle of a round, that one may be there in part. */
  private void requireListedOnce(Set<String> alive, List<String> missing) {
    Set<String> inList = new HashSet<>(listed);
    require(inList.size() == listed.size(), inList.size() + " of " + listed.size(), missing);
    Set<String> killed = new HashSet<>();
    words.forEach((key, word) -> {
      if (!inList.contains(key)) {
        boolean isPart = !alive.contains(word.writer()) && killed.add(word.writer());
        require(isPart, "listed lacks " + key, missing);
      }
    });
  }

  private void requireRounds(String writer, int rounds, List<String> missing) {
    Set<String> inList = new HashSet<>(listed);
    for (int round = 0; round < rounds; round++) {
      String key = key(writer, round);
      boolean last = round == rounds - 1;
      require(new Word(writer, round).equals(words.get(key)), "words lack " + key, missing);
      require(seen.contains(key), "seen lacks " + key, missing);
      require(Integer.valueOf(round).equals(sorted.get(key)), "sorted lacks " + key, missing);
      require(ordered.contains(key), "ordered lacks " + key, missing);
      require(inList.contains(key), "listed lacks " + key, missing);
      require(passing.containsKey(key) == last, "passing is wrong about " + key, missing);
      require(queued.contains(key) == last, "queued is wrong about " + key, missing);
    }
    long summed = sums.getOrDefault(writer, 0L);
    require(summed == rounds, writer + " wrote " + rounds + ", summed " + summed, missing);
  }

  /** A hash of all contents in the order in which they iterate: equal contents iterate equally. */
  long hash() {
    long hash = 0;
    for (Collection<?> collection : all().values()) {
      for (Object element : collection) {
        hash = 31 * hash + element.hashCode();
      }
    }
    return hash;
  }

  /** How much is in every collection. */
  String sizes() {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    all().forEach((name, elements) -> sizes.put(name, elements.size()));
    return sizes.toString();
  }

  /** All of a collection. */
  Set<String> dump(String collection) {
    Set<String> dump = new HashSet<>();
    for (Object element : all().getOrDefault(collection, List.of())) {
      dump.add(element.toString());
    }
    return dump;
  }

  private Map<String, Collection<?>> all() {
    Map<String, Collection<?>> all = new LinkedHashMap<>();
    all.put("words", words.entrySet());
    all.put("ticks", List.of(ticks.get()));
    all.put("passing", passing.entrySet());
    all.put("contested", contested.entrySet());
    all.put("sums", sums.entrySet());
    all.put("seen", seen);
    all.put("sorted", sorted.entrySet());
    all.put("ordered", ordered);
    all.put("listed", listed);
    all.put("queued", queued);
    all.put("latest", List.of(String.valueOf(latest.get())));
    return all;
  }

  private static void require(boolean holds, String otherwise, List<String> missing) {
    if (!holds) {
      missing.add(otherwise);
    }
  }

  private static String key(String writer, int round) {
    return writer + "-" + round;
  }
}

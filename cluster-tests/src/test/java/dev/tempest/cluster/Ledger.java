package dev.tempest.cluster;

import dev.tempest.MissingAcksException;
import dev.tempest.Node;
import dev.tempest.OverloadedException;
import dev.tempest.state.Counter;
import dev.tempest.state.Merge;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What several processes write into collections that they share, without end: of each entry all or
 * nothing, so that afterwards it can be said how often it was executed, and whether one is missing
 * that two nodes had.
 */
final class Ledger {
  private static final int ACKS = 2;
  private static final long PAUSE_MILLIS = 20;

  /** All processes add to the same few sums. */
  private static final int SUMS = 8;

  private static final int NAMED_MAX = 10;

  private final Node node;
  private final String writer;
  private final Map<String, Integer> entries;
  private final Counter count;
  private final Map<Integer, Long> sums;
  private final List<String> listed;
  private final Thread thread = Thread.ofPlatform().daemon().name("ledger").unstarted(this::run);

  /**
   * How many entries were acknowledged: of each series the first so many. Where one is not
   * acknowledged the next series begins.
   */
  private final Map<String, Integer> acknowledged = new ConcurrentSkipListMap<>();

  private volatile boolean resting;
  private volatile @Nullable RuntimeException failed;

  Ledger(Node node, String writer) {
    this.node = node;
    this.writer = writer;
    this.entries = node.map("entries", String.class, Integer.class);
    this.count = node.counter("count");
    this.sums = node.map("sums", Integer.class, Long.class);
    this.listed = node.list("listed", String.class);
  }

  String write() {
    thread.start();
    return "writing";
  }

  private void run() {
    try {
      for (int series = 0; !resting; series++) {
        write(writer + "-" + series);
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failed = e;
    }
  }

  private void write(String series) throws InterruptedException {
    try {
      for (int number = 0; !resting; number++) {
        String key = key(series, number);
        int sum = number % SUMS;
        node.batch(
            ACKS,
            () -> {
              entries.put(key, sum);
              count.increment();
              sums.merge(sum, 1L, Merge.sum());
              listed.add(key);
            });
        acknowledged.put(series, number + 1);
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (MissingAcksException | OverloadedException refused) {
      // It may be there or not, but as a whole.
    }
  }

  String rest() throws InterruptedException {
    resting = true;
    thread.join();
    return acknowledged();
  }

  /** For {@link #wrong}: the series of this process. */
  String acknowledged() {
    return failed == null ? text(acknowledged) : "failed: " + failed;
  }

  /** How many entries of each series, as processes tell each other. */
  static String text(Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .map(series -> series.getKey() + "=" + series.getValue())
        .collect(Collectors.joining(" "));
  }

  /** Of such a text. */
  static Map<String, Integer> counts(String text) {
    Map<String, Integer> counts = new TreeMap<>();
    for (String series : text.isEmpty() ? List.<String>of() : List.of(text.split(" ", -1))) {
      String[] pair = series.split("=", 2);
      counts.put(pair[0], Integer.parseInt(pair[1]));
    }
    return counts;
  }

  /**
   * What is not as it was promised; empty if all is well. Nobody may write meanwhile.
   *
   * @param all how many entries all processes had acknowledged
   */
  String wrong(Map<String, Integer> all) {
    List<String> wrong = new ArrayList<>();
    all.forEach((series, acknowledged) -> {
      for (int number = 0; number < acknowledged; number++) {
        String key = key(series, number);
        if (!entries.containsKey(key)) {
          wrong.add("lost " + key);
        }
      }
    });
    Map<Integer, Long> expected =
        entries.values().stream()
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    if (count.get() != entries.size()) {
      wrong.add(count.get() + " counted, not " + entries.size());
    }
    if (!sums.equals(expected)) {
      wrong.add("the sums are " + sums + ", not " + expected);
    }
    if (!listed.stream().sorted().toList().equals(entries.keySet().stream().sorted().toList())) {
      wrong.add(listed.size() + " listed, not " + entries.size());
    }
    return String.join("; ", wrong.subList(0, Math.min(wrong.size(), NAMED_MAX)));
  }

  private static String key(String series, int number) {
    return series + "." + number;
  }
}

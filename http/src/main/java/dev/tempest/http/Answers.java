package dev.tempest.http;

import dev.tempest.Node;
import dev.tempest.Registration;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts requests by what came of them, for operators of the node: by the status of the answer, or
 * in a word why there was none. Thread-safe.
 */
final class Answers implements AutoCloseable {
  private static final String TOO_SLOW = "too-slow";
  private static final String GONE = "gone";
  private static final String NOT_KEPT = "not-kept";

  /** Those that a caller may get: told as 0 until then, so that the first one is seen as one. */
  private static final List<String> EXPECTED =
      List.of(
          "200", "204", "307", "400", "404", "405", "408", "409", "410", "413", "415", "422", "500",
          "503", "504", TOO_SLOW, GONE, NOT_KEPT);

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final Registration told;

  private Answers(Node node) {
    EXPECTED.forEach(kind -> counts.put(kind, new LongAdder()));
    told = node.monitor().tell("http", this::counts);
  }

  /** The monitor of the node tells them until they are closed. */
  static Answers toldBy(Node node) {
    return new Answers(node);
  }

  /** An answer went out. */
  void answered(int status) {
    count(String.valueOf(status));
  }

  /** None went out, or not all of it. */
  void failed(IOException why) {
    boolean isSlow =
        why instanceof InterruptedIOException || why.getCause() instanceof InterruptedIOException;
    count(isSlow ? TOO_SLOW : GONE);
  }

  /** There were so many connections that one ends with its request. */
  void notKept() {
    count(NOT_KEPT);
  }

  private void count(String kind) {
    counts.computeIfAbsent(kind, first -> new LongAdder()).increment();
  }

  private Map<String, Long> counts() {
    Map<String, Long> sums = new TreeMap<>();
    counts.forEach((kind, count) -> sums.put(kind, count.sum()));
    return sums;
  }

  @Override
  public void close() {
    told.close();
  }
}

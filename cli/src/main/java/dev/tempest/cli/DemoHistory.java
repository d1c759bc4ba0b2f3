package dev.tempest.cli;

import dev.tempest.examples.cart.CartLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What clients asked and were told, and when. Only what was answered is in it.
 *
 * <p>Thread-safe.
 */
final class DemoHistory {
  /**
   * The answer to an order or a read: how many of an item are in a cart.
   *
   * @param line which item in which cart
   * @param quantity how many were ordered, or sent back if negative; 0 for a read
   * @param count the answer
   * @param fromNanos when it was asked, on the clock of this history
   * @param untilNanos when the answer was here, at the latest
   */
  record Told(CartLine line, int quantity, int count, long fromNanos, long untilNanos) {
    boolean isOrder() {
      return quantity != 0;
    }
  }

  private final long beginNanos = System.nanoTime();
  private final List<Told> told = new ArrayList<>();

  /** The time on its clock, which does not wrap. */
  long nowNanos() {
    return System.nanoTime() - beginNanos;
  }

  /** The orders of one line have to come as they were made, one after the other. */
  synchronized void add(Told each) {
    told.add(each);
  }

  /** The longest wait for the answer to an order, or to a read, that lasted into this time. */
  synchronized OptionalLong longestWaitNanos(boolean orders, long fromNanos, long untilNanos) {
    return told.stream()
        .filter(each -> orders == each.isOrder())
        .filter(each -> each.untilNanos() > fromNanos && each.fromNanos() < untilNanos)
        .mapToLong(each -> each.untilNanos() - each.fromNanos())
        .max();
  }

  /** All of it, by what it is about. */
  synchronized Map<CartLine, List<Told>> byLine() {
    Map<CartLine, List<Told>> lines = new LinkedHashMap<>();
    told.forEach(each -> lines.computeIfAbsent(each.line(), line -> new ArrayList<>()).add(each));
    return lines;
  }

  /** How many reads were answered. */
  synchronized long reads() {
    return told.stream().filter(each -> !each.isOrder()).count();
  }
}

package dev.tempest.cli;

import dev.tempest.cli.DemoHistory.Told;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Judges what clients were told of one line of a cart, whose orders were made one after the other,
 * and read by others meanwhile.
 *
 * <p>Finds all that is not linearizable, and nothing else: the order in which orders count is
 * known, so what remains is after how many of them each read took effect. That is at least as many
 * as had been answered before it was asked, at most as many as had been asked when it was answered,
 * and not fewer than any read saw that had ended before it began. The smallest number that gives
 * what it was told leaves most room to the others; if there is none, nothing explains it.
 */
final class DemoLinearizability {
  /** A read that is placed: it has seen so many orders. */
  private record Placed(long untilNanos, int orders) {}

  private DemoLinearizability() {}

  /**
   * What is wrong, a sentence each; nothing if it is linearizable, and every order counted once.
   *
   * @param told of one line; the orders as they were made
   */
  static List<String> wrong(List<Told> told) {
    List<Told> orders = told.stream().filter(Told::isOrder).toList();
    List<Told> reads =
        told.stream()
            .filter(each -> !each.isOrder())
            .sorted(Comparator.comparingLong(Told::fromNanos))
            .toList();
    List<String> wrong = new ArrayList<>();
    int[] counts = counts(orders);
    for (int i = 0; i < orders.size(); i++) {
      Told order = orders.get(i);
      if (order.count() != counts[i + 1]) {
        wrong.add(
            "%s: order %d, of %d, gave %d, should give %d"
                .formatted(
                    DemoComparison.name(order.line()),
                    i + 1,
                    order.quantity(),
                    order.count(),
                    counts[i + 1]));
      }
    }
    var ended = new PriorityQueue<>(Comparator.comparingLong(Placed::untilNanos));
    int seen = 0;
    for (Told read : reads) {
      while (!ended.isEmpty() && ended.peek().untilNanos() < read.fromNanos()) {
        seen = Math.max(seen, ended.remove().orders());
      }
      int least = Math.max(seen, answeredBefore(read.fromNanos(), orders));
      int place = place(read.count(), counts, least, askedBefore(read.untilNanos(), orders));
      if (place < 0) {
        wrong.add(
            "%s: a read gave %d, should give %d or what comes later"
                .formatted(DemoComparison.name(read.line()), read.count(), counts[least]));
      } else {
        ended.add(new Placed(read.untilNanos(), place));
      }
    }
    return wrong;
  }

  /** After how many orders there are how many. */
  private static int[] counts(List<Told> orders) {
    int[] counts = new int[orders.size() + 1];
    for (int i = 0; i < orders.size(); i++) {
      counts[i + 1] = Math.max(0, Math.addExact(counts[i], orders.get(i).quantity()));
    }
    return counts;
  }

  private static int answeredBefore(long nanos, List<Told> orders) {
    return (int) orders.stream().filter(order -> order.untilNanos() < nanos).count();
  }

  private static int askedBefore(long nanos, List<Told> orders) {
    return (int) orders.stream().filter(order -> order.fromNanos() <= nanos).count();
  }

  private static int place(int count, int[] counts, int least, int most) {
    for (int orders = least; orders <= most; orders++) {
      if (counts[orders] == count) {
        return orders;
      }
    }
    return -1;
  }
}

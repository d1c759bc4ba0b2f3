package dev.tempest.simulator;

import dev.tempest.state.State;
import java.util.Deque;
import java.util.List;

/** The ledger over replicated collections. */
class LedgerService extends OlderLedgerService implements Ledger {
  private final List<Long> list;
  private final Deque<Long> queue;
  private final Deque<Long> stack;

  LedgerService(State state) {
    super(state);
    list = state.list("list", Long.class);
    queue = state.deque("queue", Integer.MAX_VALUE, Long.class);
    stack = state.deque("stack", Integer.MAX_VALUE, Long.class);
  }

  @Override
  public long line(int place, long tag) {
    takeEffect(tag);
    list.add(place % (list.size() + 1), tag);
    queue.addLast(tag);
    stack.push(tag);
    return switch (place % 4) {
      case 0 -> list.remove(place % list.size());
      case 1 -> queue.removeFirst();
      case 2 -> stack.pop();
      default -> list.set(place % list.size(), stack.peek() ^ queue.getFirst());
    };
  }

  @Override
  public long order() {
    long order = super.order();
    for (Iterable<Long> line : List.of(list, queue, stack)) {
      for (long tag : line) {
        order = Randomness.mix(order ^ tag);
      }
    }
    return order;
  }
}

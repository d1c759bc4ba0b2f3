package dev.tempest.protocol.order.time;

import dev.tempest.state.State;
import java.util.Deque;
import java.util.List;

final class LineService implements Line {
  private final Deque<Integer> queue;
  private final Deque<Integer> stack;
  private final List<Integer> passed;

  LineService(State state) {
    queue = state.deque("queue", 1_000, Integer.class);
    stack = state.deque("stack", 1_000, Integer.class);
    passed = state.list("passed", Integer.class);
  }

  @Override
  public void pass(int number) {
    queue.addLast(number);
    stack.push(number);
    passed.add(passed.size() / 2, queue.size() > 3 ? queue.removeFirst() : stack.peek());
  }
}

package dev.tempest.state;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The actions in which a test uses its collections. They nest, so a test that left its own behind
 * would slow down all that come after it.
 */
final class OpenActions {
  private final Deque<Action> open = new ArrayDeque<>();

  void begin(State state) {
    open.push(state.begin(state.emptyVersion(), 0, 0));
  }

  void end() {
    while (!open.isEmpty()) {
      open.pop().abort();
    }
  }
}

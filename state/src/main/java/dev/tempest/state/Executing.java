package dev.tempest.state;

import org.jspecify.annotations.Nullable;

/**
 * The actions of services that each thread executes. Several threads execute on one state at the
 * same time; one thread executes on several states, those that begin later within the earlier ones.
 */
final class Executing {
  private static final ThreadLocal<@Nullable Action> INNERMOST = new ThreadLocal<>();

  private Executing() {}

  /** The action that the calling thread began last; null if it executes none. */
  static @Nullable Action innermost() {
    return INNERMOST.get();
  }

  /** The action on that state that the calling thread executes; null if it executes none. */
  static @Nullable Action on(State state) {
    Action action = INNERMOST.get();
    while (action != null && !action.isOn(state)) {
      action = action.outer();
    }
    return action;
  }

  /** The calling thread executes this action, within its outer one. */
  static void begin(Action action) {
    if (on(action.state()) != null) {
      throw new IllegalStateException(
          "this thread executes another action on this State: commit or abort it first");
    }
    INNERMOST.set(action);
  }

  /** The calling thread executes the outer action again. */
  static void end(Action action) {
    if (INNERMOST.get() != action) {
      throw new IllegalStateException(
          "not the latest action of this thread: commit or abort it in its thread, and first those"
              + " that began after it");
    }
    INNERMOST.set(action.outer());
  }
}

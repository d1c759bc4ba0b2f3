package dev.tempest.state.versioned;

import org.jspecify.annotations.Nullable;

/**
 * The actions on one state of a service, by the thread that executes each: several threads execute
 * on one state at the same time, and one thread on several states.
 *
 * <p>Thread-safe.
 */
final class Executing {
  @SuppressWarnings("ThreadLocalUsage") // What one thread executes on one state, not on all.
  private final ThreadLocal<@Nullable VersionedAction> latest = new ThreadLocal<>();

  /** The action that the calling thread executes; null if it executes none. */
  @Nullable VersionedAction action() {
    return latest.get();
  }

  /** The calling thread executes this action from now on. */
  void begin(VersionedAction action) {
    if (latest.get() != null) {
      throw new IllegalStateException(
          "this thread executes another action on this state: commit or abort it first");
    }
    latest.set(action);
  }

  /** The calling thread executes the action no more. */
  void end(VersionedAction action) {
    if (latest.get() != action) {
      throw new IllegalStateException(
          "another thread executes this action: commit or abort it there");
    }
    latest.set(null); // Not removed: the same thread soon executes the next one.
  }
}

package dev.tempest.spring.autoconfigure;

import java.util.function.Supplier;

/**
 * Lets SIGTERM end a process whose application starts: Spring's own shutdown hook waits until the
 * start is over, and that may wait for other members.
 */
final class WhileStarting {
  private WhileStarting() {}

  /**
   * Waits, maybe for long.
   *
   * @param end what makes the wait fail if the process is told to end meanwhile
   */
  static void run(Runnable wait, Runnable end) {
    var unused =
        get(
            () -> {
              wait.run();
              return true;
            },
            end);
  }

  /** The same, of one that brings something. */
  static <T> T get(Supplier<T> wait, Runnable end) {
    Thread hook = new Thread(end, "tempest-end-of-start");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return wait.get();
    } finally {
      remove(hook);
    }
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException theProcessEnds) {
      return; // Then there is nothing to take back.
    }
  }
}

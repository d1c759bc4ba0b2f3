package dev.tempest.cli;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Who has ended this process while its shutdown hooks run: a thread that calls {@code System.exit}
 * is there until they have run. A signal comes from a thread of the JVM, which calls none.
 */
final class ExitCaller {
  private static final String RUNTIME = Runtime.class.getName();
  private static final String SYSTEM = System.class.getName();

  private ExitCaller() {}

  /** The code that has called it, but for that of {@code own}; empty if nobody has. */
  static Optional<String> find(Class<?> own) {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(stack -> caller(stack).stream())
        .filter(frame -> !frame.getClassName().equals(own.getName()))
        .map(frame ->
            "%s.%s (%s:%d)"
                .formatted(
                    frame.getClassName(),
                    frame.getMethodName(),
                    frame.getFileName(),
                    frame.getLineNumber()))
        .findFirst();
  }

  private static Optional<StackTraceElement> caller(StackTraceElement[] stack) {
    Predicate<StackTraceElement> isExit =
        frame ->
            frame.getMethodName().equals("exit")
                && (frame.getClassName().equals(RUNTIME) || frame.getClassName().equals(SYSTEM));
    return Arrays.stream(stack).dropWhile(isExit.negate()).dropWhile(isExit).findFirst();
  }
}

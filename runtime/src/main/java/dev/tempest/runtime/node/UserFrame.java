package dev.tempest.runtime.node;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where a thread is in code of the application, as far as its stack says. */
final class UserFrame {
  private static final Pattern JAVA = Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*");
  private static final Pattern TEMPEST = Pattern.compile("dev\\.tempest\\.(?!examples\\.).*");

  private UserFrame() {}

  /** What it executes, or waits in; null if that is not code of the application. */
  static @Nullable StackTraceElement of(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (!JAVA.matcher(frame.getClassName()).matches()) {
        return TEMPEST.matcher(frame.getClassName()).matches() ? null : frame;
      }
    }
    return null;
  }
}

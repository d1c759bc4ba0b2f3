package dev.tempest.state.versioned;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong in a way that no caller is told: other nodes declare a collection otherwise, or a
 * merge function fails. Whoever runs the state takes it and tells people. Each is told once.
 *
 * <p>Thread-safe.
 */
final class Complaints {
  private final Set<String> told = new LinkedHashSet<>();
  private final Deque<String> waiting = new ArrayDeque<>();

  /**
   * Adds a complaint, unless there was one of this subject.
   *
   * @param subject one of few: it is remembered
   */
  synchronized void add(String subject, Supplier<String> sentence) {
    if (told.add(subject)) {
      waiting.add(sentence.get());
    }
  }

  /** The oldest that nobody has taken; null if there is none. */
  synchronized @Nullable String take() {
    return waiting.poll();
  }
}

package dev.tempest.simulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What happened, as text for people and as one number that is equal for equal runs. */
final class Trace {
  private record Line(long nanos, String node, Supplier<String> text) {
    String format() {
      return String.format(
          Locale.ROOT,
          "%5d.%06d %-3s %s",
          nanos / 1_000_000_000,
          nanos / 1_000 % 1_000_000,
          node,
          text.get());
    }
  }

  private final Agenda agenda;
  private final int tailLines;
  private final Consumer<String> listener;
  private final boolean listening;
  private final ArrayDeque<Line> tail = new ArrayDeque<>();
  private long hash;

  /**
   * The last lines are kept, and made into text only if somebody asks for them.
   *
   * @param listener is handed every line at once as well; null for none
   */
  static Trace of(Agenda agenda, int tailLines, @Nullable Consumer<String> listener) {
    return new Trace(agenda, tailLines, listener == null ? line -> {} : listener, listener != null);
  }

  private Trace(Agenda agenda, int tailLines, Consumer<String> listener, boolean listening) {
    this.agenda = agenda;
    this.tailLines = tailLines;
    this.listener = listener;
    this.listening = listening;
  }

  /**
   * Adds a line.
   *
   * @param content a number that stands for what the line says
   */
  void add(String node, long content, Supplier<String> text) {
    hash = Randomness.mix(hash ^ agenda.nowNanos()) + Randomness.mix(content ^ node.hashCode());
    Line line = new Line(agenda.nowNanos(), node, text);
    if (listening) {
      listener.accept(line.format());
    }
    if (tail.size() == tailLines) {
      tail.removeFirst();
    }
    tail.addLast(line);
  }

  /** Adds a line whose text never changes. */
  void add(String node, String text) {
    add(node, text.hashCode(), () -> text);
  }

  /** Makes what is no line count as well. */
  void mix(long content) {
    hash = Randomness.mix(hash ^ content);
  }

  long hash() {
    return hash;
  }

  /** The last lines. */
  List<String> tail() {
    List<String> lines = new ArrayList<>(tail.size());
    tail.forEach(line -> lines.add(line.format()));
    return lines;
  }
}

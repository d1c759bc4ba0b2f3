package dev.tempest.simulator;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a thread did in one action, or read outside of any, and what it was told. */
final class ThreadAction {
  /** How it ended. */
  enum End {
    /** Nobody knows: it took effect at some moment since it began, or will, or never does. */
    UNKNOWN,
    COUNTS,
    /** It never takes effect. */
    NEVER
  }

  final String thread;
  final List<Deed> deeds;

  /** Whether it is a read outside of any action. */
  final boolean isLook;

  final long fromNanos;

  private long untilNanos = Long.MAX_VALUE;
  private End end = End.NEVER;

  /** What its deeds gave when it was executed last. */
  private List<@Nullable Long> results = new ArrayList<>();

  ThreadAction(String thread, List<Deed> deeds, boolean isLook, long fromNanos) {
    this.thread = thread;
    this.deeds = List.copyOf(deeds);
    this.isLook = isLook;
    this.fromNanos = fromNanos;
  }

  /** Does all of it with a map and a deque, and gives what that gave. */
  List<@Nullable Long> with(Map<String, Long> map, Deque<Long> deque) {
    List<@Nullable Long> given = new ArrayList<>(deeds.size());
    deeds.forEach(deed -> given.add(deed.with(map, deque)));
    return given;
  }

  /** It was executed, and nobody knows yet whether that counts. */
  void executed(List<@Nullable Long> given) {
    results = given;
    end = End.UNKNOWN;
  }

  /** What was executed never counts. */
  void isVoid() {
    end = End.NEVER;
  }

  /** Its thread was told what it gave. */
  void counts(List<@Nullable Long> given, long nowNanos) {
    results = given;
    end = End.COUNTS;
    untilNanos = nowNanos;
  }

  End end() {
    return end;
  }

  List<@Nullable Long> results() {
    return results;
  }

  /** When its thread was told; never, if it was not. */
  long untilNanos() {
    return untilNanos;
  }

  boolean onlyReads() {
    return deeds.stream().allMatch(Deed::onlyReads);
  }

  /** What it concerns. */
  Set<String> concerns() {
    Set<String> all = new TreeSet<>();
    deeds.forEach(deed -> all.addAll(deed.concerns()));
    return all;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(thread);
    for (int i = 0; i < deeds.size(); i++) {
      Deed deed = deeds.get(i);
      text.append(i == 0 ? " " : ", ").append(deed.kind());
      text.append('(').append(String.join(" ", deed.concerns())).append(' ').append(deed.tag());
      text.append(')');
      if (i < results.size()) {
        text.append(" = ").append(results.get(i));
      }
    }
    return text.append(end == End.COUNTS ? "" : " (" + end + ")").toString();
  }
}

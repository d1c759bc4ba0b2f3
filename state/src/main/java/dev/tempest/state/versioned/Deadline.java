package dev.tempest.state.versioned;

import java.util.Comparator;

/** When which key ends: the order in which entries expire, and in which they make room. */
record Deadline<K>(long deadlineMillis, long usedMillis, K key) {
  static <K> Deadline<K> of(Lease lease, K key) {
    return new Deadline<>(lease.deadlineMillis(), lease.usedMillis(), key);
  }

  /** What comes after all that is over by then: nothing is used at the end of all times. */
  static <K> Deadline<K> after(long nowMillis, K any) {
    return new Deadline<>(nowMillis, Long.MAX_VALUE, any);
  }

  /** Soonest first; of those the one not used for longest; the same in every JVM. */
  static <K> Comparator<Deadline<K>> order(StoredType<K> keys) {
    return (left, right) -> {
      int byDeadline = Long.compare(left.deadlineMillis, right.deadlineMillis);
      if (byDeadline != 0) {
        return byDeadline;
      }
      int byUse = Long.compare(left.usedMillis, right.usedMillis);
      return byUse != 0 ? byUse : keys.compareContents(left.key, right.key);
    };
  }
}

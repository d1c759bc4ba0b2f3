package dev.tempest.sessions;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what {@link SessionCounts} shows. */
final class Counting {
  final LongAdder created = new LongAdder();
  final LongAdder invalidated = new LongAdder();
  final LongAdder expired = new LongAdder();
  final LongAdder unsaved = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder unreadable = new LongAdder();
  final LongAdder malformed = new LongAdder();
  final LongAdder waits = new LongAdder();
  final LongAdder unseen = new LongAdder();

  /** By the kinds that meters have. */
  Map<String, Long> byKind() {
    return Map.of(
        "created", created.sum(),
        "invalidated", invalidated.sum(),
        "expired", expired.sum(),
        "unsaved", unsaved.sum(),
        "refused", refused.sum(),
        "unreadable", unreadable.sum(),
        "malformed", malformed.sum(),
        "waited", waits.sum(),
        "unseen", unseen.sum());
  }

  SessionCounts counts() {
    return new SessionCounts(
        created.sum(),
        invalidated.sum(),
        expired.sum(),
        unsaved.sum(),
        refused.sum(),
        unreadable.sum(),
        malformed.sum(),
        waits.sum(),
        unseen.sum());
  }
}

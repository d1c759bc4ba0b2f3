package dev.tempest.protocol.order.time;

import dev.tempest.wire.Message.Prefix;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Through which epoch each other replica is known to have the very same entries as this one, after
 * it closed that epoch: what all of them agree on settles.
 *
 * <p>Why that is safe: a closed epoch takes entries from peers only, so whatever it ever gets is
 * held by some replica from before that one closed it. If all have agreed, with nothing inserted
 * here since, nothing is missing anywhere.
 *
 * <p>A replica that has left the view is waited for a while: if it comes back with entries of its
 * own, those still find their places in the order.
 */
final class Agreement {
  private static final long NONE = -1;

  private final SortedMap<Long, Long> through = new TreeMap<>();

  /** Those of them that are in the view no more, and until when they are waited for. */
  private final SortedMap<Long, Long> departedUntilMillis = new TreeMap<>();

  /** No replica has agreed on more: entries of later epochs, nearly all, change no agreement. */
  private long furthest = NONE;

  Agreement(List<Long> others) {
    others.forEach(other -> through.put(other, NONE));
  }

  /** Takes another view; those who have left are waited for until {@code waitUntilMillis}. */
  void viewChanged(List<Long> others, long waitUntilMillis) {
    for (long known : through.keySet()) {
      if (!others.contains(known)) {
        departedUntilMillis.putIfAbsent(known, waitUntilMillis);
      }
    }
    for (long other : others) {
      // Whoever comes back may have lost its memory meanwhile.
      if (departedUntilMillis.remove(other) != null || !through.containsKey(other)) {
        through.put(other, NONE);
      }
    }
  }

  /** Waits no longer for those who left too long ago, or for none of them. */
  void release(long nowMillis, boolean all) {
    departedUntilMillis
        .entrySet()
        .removeIf(departed -> {
          boolean over = all || departed.getValue() <= nowMillis;
          if (over) {
            through.remove(departed.getKey());
          }
          return over;
        });
  }

  /** All with whom to agree, those included who have left and are waited for. */
  List<Long> all() {
    return List.copyOf(through.keySet());
  }

  /** Whether there is nobody to agree with. */
  boolean isAlone() {
    return through.isEmpty();
  }

  /** Whether any of these has the very same entries through an epoch. */
  boolean isAgreedBy(List<Long> others, long throughEpoch) {
    return others.stream().anyMatch(other -> through.getOrDefault(other, NONE) >= throughEpoch);
  }

  /** Takes what another replica has closed. */
  void compare(long other, Prefix closed, Window window) {
    if (closed.throughEpoch() >= window.settled().throughEpoch()
        && window.through(closed.throughEpoch()).equals(closed)) {
      through.put(other, closed.throughEpoch());
      furthest = Math.max(furthest, closed.throughEpoch());
    }
  }

  /** An epoch has changed here: nobody has agreed to it or to what follows. */
  void changed(long epoch) {
    if (epoch <= furthest) {
      furthest = epoch - 1;
      through.replaceAll((other, agreed) -> Math.min(agreed, furthest));
    }
  }

  /** The last epoch that all have agreed on and this replica has closed. */
  long settles(long closedThrough) {
    long settles = closedThrough;
    for (long agreed : through.values()) {
      settles = Math.min(settles, agreed);
    }
    return settles;
  }

  /** Nobody is known to agree any more. */
  void reset() {
    furthest = NONE;
    through.replaceAll((other, agreed) -> NONE);
  }
}

package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Invariant;
import dev.tempest.wire.Message.Prefix;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which epochs are stable: through which each other replica is known to have the very same entries
 * as this one, after it closed that epoch: what all of them agree on settles.
 *
 * <p>Why that is safe: a closed epoch takes entries from peers only, so whatever it ever gets is
 * held by some replica from before that one closed it. If all have agreed, with nothing inserted
 * here since, nothing is missing anywhere.
 *
 * <p>This assumes of clocks that a replica's own never goes back while it lives, so that a closed
 * epoch stays closed; how far clocks differ does not matter. Of memory, that whoever has agreed has
 * the entries until it has settled them; a replica that starts anew takes a state first, and one
 * that starts with none may bring entries of epochs that have settled. Of the view, that whoever
 * may hold an entry is in it, or has left it and is waited for.
 *
 * <p>A replica that has left the view is waited for a while, unless it has handed over what it had:
 * if it comes back with entries of its own, those still find their places in the order.
 */
final class Stability {
  private static final long NONE = -1;

  private List<Long> others;

  /** Of those only who have agreed to anything: of many replicas most meet seldom. */
  private final SortedMap<Long, Long> through = new TreeMap<>();

  /** Who is in the view no more, and until when they are waited for. */
  private final SortedMap<Long, Long> departedUntilMillis = new TreeMap<>();

  /** No replica has agreed on more: entries of later epochs, nearly all, change nothing. */
  private long furthest = NONE;

  Stability(List<Long> others) {
    this.others = others;
  }

  /** Takes another view; those who have left are waited for until {@code waitUntilMillis}. */
  void viewChanged(List<Long> present, long waitUntilMillis) {
    others.forEach(other -> departedUntilMillis.putIfAbsent(other, waitUntilMillis));
    Set<Long> known = new TreeSet<>(present);
    departedUntilMillis.keySet().removeAll(known);
    others = present;
    // Whoever is away takes entries of others, so what it has agreed on says nothing any more.
    through.keySet().retainAll(known);
  }

  /** Waits no longer for these, who have given others what they had. */
  void ended(List<Long> left) {
    departedUntilMillis.keySet().removeAll(left);
  }

  /** Waits no longer for those who left too long ago, or for none of them. */
  void release(long nowMillis, boolean all) {
    departedUntilMillis.values().removeIf(untilMillis -> all || untilMillis <= nowMillis);
  }

  /** Whether there is nobody to agree with. */
  boolean isAlone() {
    return others.isEmpty() && departedUntilMillis.isEmpty();
  }

  /** Whether any of these has the very same entries through an epoch. */
  boolean isAgreedBy(List<Long> some, long throughEpoch) {
    return some.stream().anyMatch(other -> through.getOrDefault(other, NONE) >= throughEpoch);
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

  /** Throws if it does not hold together. */
  void checkInvariants() {
    for (Map.Entry<Long, Long> each : through.entrySet()) {
      Invariant.check(each.getValue() <= furthest, "nobody has agreed on more than the furthest");
      Invariant.check(others.contains(each.getKey()), "only members have agreed");
    }
    Invariant.check(
        Collections.disjoint(others, departedUntilMillis.keySet()),
        "nobody is in the view and has left it");
  }

  /** The last epoch that all have agreed on and this replica has closed. */
  long settles(long closedThrough) {
    if (!departedUntilMillis.isEmpty() || through.size() < others.size()) {
      return NONE;
    }
    long settles = closedThrough;
    for (long agreed : through.values()) {
      settles = Math.min(settles, agreed);
    }
    return settles;
  }
}

package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.Mix;
import dev.tempest.wire.Entry;
import org.jspecify.annotations.Nullable;

/** What has to hold of a window after every step. */
final class WindowInvariants {
  private WindowInvariants() {}

  /**
   * Throws if it does not hold.
   *
   * @param byId the entries of the window by request
   * @param newest the last of them; null if there is none
   * @param pendingFrom from where on its entries have yet to run; null if all have
   */
  static void check(
      Window window, EntryIndex byId, @Nullable LogEntry newest, @Nullable Entry pendingFrom) {
    byId.checkInvariants();
    window.clients().checkInvariants();
    window.history().checkInvariants(window.settled());
    @Nullable Epoch last =
        window.epochs().isEmpty() ? null : window.epochs().lastEntry().getValue();
    Invariant.check(newest == (last == null ? null : last.last()), "the newest entry is the last");
    Invariant.check(pendingFrom == null || newest != null, "what has yet to run is there");
    checkEntries(window, byId, pendingFrom);
  }

  private static void checkEntries(Window window, EntryIndex byId, @Nullable Entry pendingFrom) {
    int count = 0;
    long bytes = 0;
    @Nullable Entry previous = null;
    for (Epoch epoch : window.epochs().values()) {
      long hash = 0;
      if (epoch.size() == 0 || epoch.number <= window.settled().throughEpoch()) {
        throw new AssertionError("epoch " + epoch.number + " should be gone");
      }
      for (LogEntry each : epoch.entries()) {
        if (previous != null && previous.compareTo(each.entry) >= 0) {
          throw new AssertionError(each.entry.id() + " is out of order");
        }
        if (window.epochOf(each.entry) != epoch.number || byId.get(each.entry.id()) != each) {
          throw new AssertionError(each.entry.id() + " is in the wrong place");
        }
        if (window.clients().contains(each.entry.id())) {
          throw new AssertionError(each.entry.id() + " is settled and unsettled");
        }
        hash += Mix.hash(each.entry);
        bytes += each.sizeBytes();
        previous = each.entry;
        count++;
      }
      epoch.checkInvariants();
      boolean ran = pendingFrom == null || epoch.number < window.epochOf(pendingFrom);
      if (hash != epoch.hash() || (ran && epoch.last().after == null)) {
        throw new AssertionError("epoch " + epoch.number + " has a wrong sum or no version");
      }
    }
    if (count != byId.size() || bytes != window.sizeBytes()) {
      throw new AssertionError(
          "%d ids and %d bytes for %d entries of %d bytes"
              .formatted(byId.size(), window.sizeBytes(), count, bytes));
    }
  }
}

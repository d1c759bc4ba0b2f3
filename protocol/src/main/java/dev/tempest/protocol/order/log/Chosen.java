package dev.tempest.protocol.order.log;

import dev.tempest.wire.LogMessage.VotesBeyond;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a fast quorum may have chosen beyond a log, by the votes of a classic quorum. */
final class Chosen {
  private Chosen() {}

  /**
   * Of n members so many have to have voted for something in the votes of {@code heard} of them for
   * a fast quorum, F, to have chosen it: the n - heard others may all have, and no more. Of two
   * that differ at most one has so many: else 2 (heard + F - n) were no more than heard, but heard
   * + 2 F is more than 2 n, as fast quorums are made.
   */
  static int needed(Group group, int heard, int members) {
    return heard + group.quorum().voting(members) - members;
  }

  /**
   * The longest continuation of a log that enough have voted for, in whatever period: each has one
   * continuation. It has nothing twice, and ran on this log: whoever voted for it has the same.
   */
  static List<SlotEntry.Called> of(Log log, List<VotesBeyond> votes, int needed) {
    List<List<SlotEntry.Called>> beyond = new ArrayList<>();
    for (VotesBeyond each : votes) {
      if (continues(log, each)) {
        int known = (int) (log.length() - each.from());
        beyond.add(each.entries().subList(known, each.entries().size()));
      }
    }
    List<SlotEntry.Called> chosen = new ArrayList<>();
    SlotEntry.Called next = mostWanted(beyond, 0, needed);
    while (next != null) {
      chosen.add(next);
      SlotEntry.Called last = next;
      int place = chosen.size() - 1;
      beyond.removeIf(each -> !each.get(place).equals(last));
      next = mostWanted(beyond, chosen.size(), needed);
    }
    return chosen;
  }

  /** Whether it has voted for what comes after the whole log. */
  static boolean continues(Log log, VotesBeyond votes) {
    long known = log.length() - votes.from();
    if (known < 0 || known >= votes.entries().size()) {
      return false;
    }
    long hash = votes.hash();
    for (long each = 0; each < known; each++) {
      hash += Log.hash(votes.entries().get((int) each), votes.from() + each);
    }
    return hash == log.hash();
  }

  /** What so many have in one place; null if nothing. */
  private static SlotEntry.@Nullable Called mostWanted(
      List<List<SlotEntry.Called>> all, int place, int needed) {
    all.removeIf(each -> each.size() <= place);
    for (List<SlotEntry.Called> one : all) {
      SlotEntry.Called entry = one.get(place);
      long having = all.stream().filter(each -> each.get(place).equals(entry)).count();
      if (having >= needed) {
        return entry;
      }
    }
    return null;
  }
}

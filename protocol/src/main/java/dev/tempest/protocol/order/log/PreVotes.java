package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Quorum;
import dev.tempest.wire.Ballot;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Who would follow a replica if it led by the ballot that it asks about. Not thread-safe. */
final class PreVotes {
  private final Set<Long> granted = new LinkedHashSet<>();
  private Ballot ballot = Ballot.NONE;

  /** It asks; itself it would. */
  void begin(Ballot asked, long self) {
    ballot = asked;
    granted.clear();
    granted.add(self);
  }

  /** It asks no more, and what others still answer does not count. */
  void end() {
    ballot = Ballot.NONE;
    granted.clear();
  }

  /** Another one would follow that ballot. */
  void add(Ballot by, long from) {
    if (by.equals(ballot)) {
      granted.add(from);
    }
  }

  /** Whether a majority of these would. */
  boolean areEnough(List<Long> members) {
    return Quorum.MAJORITY.accepts(granted, members);
  }

  /** The one that it asks about. */
  Ballot ballot() {
    return ballot;
  }
}

package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Tally;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What servers tell clients that count, and have voted for: that is so once enough say the same.
 */
final class CountingVotes {
  private final Map<RequestId, Tally> tallies = new LinkedHashMap<>();
  private final Set<RequestId> chosen = new LinkedHashSet<>();

  /** Whether so many have said the same as have to by now. */
  boolean add(Message.Reply reply, OrderPart.Voted voted) {
    tallies.keySet().removeIf(each -> isEarlier(each, reply.id()));
    Tally tally = tallies.computeIfAbsent(reply.id(), none -> new Tally());
    boolean areEnough = !tally.add(reply, voted).isEmpty();
    if (areEnough) {
      chosen.add(reply.id());
    }
    return areEnough;
  }

  private static boolean isEarlier(RequestId one, RequestId other) {
    return one.client() == other.client() && one.sequence() < other.sequence();
  }

  /** How often that was so. */
  int chosen() {
    return chosen.size();
  }
}

package dev.tempest.simulator;

import dev.tempest.wire.Answer;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What servers tell one who counts, and have voted for: that is so once enough say the same. */
final class CountingVotes {
  private record Said(RequestId id, long slot, long hash, Answer answer) {}

  private final Map<Said, Set<Long>> votes = new LinkedHashMap<>();
  private int chosen;

  /** Whether so many have said the same as have to by now. */
  boolean add(Message.Reply reply, OrderPart.Voted voted) {
    Said said = new Said(reply.id(), voted.slot(), voted.hash(), reply.answer());
    votes.keySet().removeIf(each -> isEarlier(each.id(), reply.id()));
    Set<Long> voters = votes.computeIfAbsent(said, none -> new LinkedHashSet<>());
    boolean isMore = voters.add(reply.replica());
    chosen += isMore && voters.size() == voted.needed() ? 1 : 0;
    return voters.size() >= voted.needed();
  }

  private static boolean isEarlier(RequestId one, RequestId other) {
    return one.client() == other.client() && one.sequence() < other.sequence();
  }

  /** How often that was so. */
  int chosen() {
    return chosen;
  }
}

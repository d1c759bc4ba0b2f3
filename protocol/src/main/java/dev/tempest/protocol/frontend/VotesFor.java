package dev.tempest.protocol.frontend;

import dev.tempest.wire.Answer;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which replicas have voted for an update, and what they say that it comes to: that is so once
 * enough say the same of the same place.
 */
final class VotesFor {
  private record Said(long slot, long hash, Answer answer) {}

  private final Map<Said, List<Long>> replicas = new LinkedHashMap<>();

  /**
   * Adds one.
   *
   * @return those that say the same, if they are enough; else nobody
   */
  List<Long> add(Message.Reply reply, OrderPart.Voted voted) {
    Said said = new Said(voted.slot(), voted.hash(), reply.answer());
    List<Long> all = replicas.computeIfAbsent(said, none -> new ArrayList<>(voted.needed()));
    if (!all.contains(reply.replica())) {
      all.add(reply.replica());
    }
    return all.size() >= voted.needed() ? all : List.of();
  }
}

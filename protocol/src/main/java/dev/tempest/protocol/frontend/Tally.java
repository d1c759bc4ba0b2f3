package dev.tempest.protocol.frontend;

import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which replicas have voted for an update in which place, by what they said last: it counts once
 * enough say the same. Their hashes have what it comes to; the answers themselves may differ in
 * texts that Java makes. Not thread-safe.
 */
public final class Tally {
  /** No service has more members. */
  private static final int VOTERS_MAX = 64;

  private record Said(long slot, long hash) {}

  private final Map<Long, Said> byReplica = new LinkedHashMap<>();

  /** Nobody has voted. */
  public Tally() {}

  /**
   * Adds a vote.
   *
   * @param reply says what the update comes to
   * @return the replicas that say the same, if they are enough; else nobody
   */
  public List<Long> add(Message.Reply reply, OrderPart.Voted voted) {
    Said said = new Said(voted.slot(), voted.hash());
    if (byReplica.size() < VOTERS_MAX || byReplica.containsKey(reply.replica())) {
      byReplica.put(reply.replica(), said);
    }
    int needed = voted.needed();
    if (byReplica.size() < needed) {
      return List.of();
    }
    List<Long> same = new ArrayList<>(byReplica.size());
    for (Map.Entry<Long, Said> each : byReplica.entrySet()) {
      if (each.getValue().equals(said)) {
        same.add(each.getKey());
      }
    }
    return same.size() >= needed ? same : List.of();
  }
}

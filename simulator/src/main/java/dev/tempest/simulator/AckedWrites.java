package dev.tempest.simulator;

import dev.tempest.protocol.Effect;
import dev.tempest.wire.RequestId;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Writes whose processes wait until others have them: as many as a machine says have had it, and
 * have been there ever since, as far as it knew. After that it survives as long as one of them
 * does.
 */
final class AckedWrites {
  /**
   * A write that is waited for.
   *
   * @param holders by the ids of their lives, who has it, or had it when it lost its memory
   */
  private record Awaited(
      long tag, RequestId id, Incarnation writer, int acks, Map<Long, Incarnation> holders) {}

  private final Cluster cluster;
  private final Map<Long, Awaited> open = new TreeMap<>();
  private final Set<Long> impatient = new TreeSet<>();
  private long lastTicket;

  AckedWrites(Cluster cluster) {
    this.cluster = cluster;
  }

  /** A process waits from now on; the ticket. */
  long begins(ReplicaProcess process, long tag, RequestId id, int acks) {
    open.put(++lastTicket, new Awaited(tag, id, process.incarnation(), acks, new TreeMap<>()));
    return lastTicket;
  }

  /** A process waits no longer. */
  void givesUp(long ticket) {
    impatient.add(ticket);
  }

  /** Whether nobody waits. */
  boolean areEnded() {
    return open.isEmpty();
  }

  /** A process is about to lose its memory. */
  void crashes(ReplicaProcess process) {
    open.values().removeIf(awaited -> awaited.writer().equals(process.incarnation()));
    for (Awaited awaited : open.values()) {
      if (has(process, awaited)) {
        awaited.holders().put(process.senderId(), process.incarnation());
      }
    }
  }

  /** A machine says that a wait has ended. */
  void ended(ReplicaProcess process, Effect.Acked acked) {
    Awaited awaited = open.remove(acked.ticket());
    if (awaited == null) {
      throw wrong(process.name + " ends ticket " + acked.ticket() + ", which nobody waits for");
    }
    for (ReplicaProcess each : cluster.replicas()) {
      if (has(each, awaited)) {
        awaited.holders().put(each.senderId(), each.incarnation());
      }
    }
    awaited.holders().keySet().retainAll(process.present());
    if (awaited.holders().size() < acked.acks()) {
      throw wrong(
          process.name
              + " says that "
              + acked.acks()
              + " replicas have write "
              + awaited.tag()
              + ", which have it: "
              + awaited.holders().values());
    }
    if (acked.acks() < awaited.acks() && !impatient.contains(acked.ticket())) {
      throw wrong(process.name + " gives up waiting for " + awaited.acks() + " replicas by itself");
    }
    if (acked.acks() >= awaited.acks()) {
      cluster.history().acked(awaited.tag(), awaited.holders().values());
    }
  }

  /** Its effect may be there under another name: what had grown apart is put in as one. */
  private boolean has(ReplicaProcess process, Awaited awaited) {
    return process.hasExecuted(awaited.id()) || process.tookEffect(awaited.tag());
  }

  private static Violation.Found wrong(String sentence) {
    return new Violation.Found(new Violation(Violation.Kind.WRONG_OUTCOME, sentence));
  }
}

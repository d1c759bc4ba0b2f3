package dev.tempest.simulator;

import dev.tempest.protocol.Effect;
import dev.tempest.wire.Entry;
import dev.tempest.wire.RequestId;
import java.util.List;
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

  /** What a process has just written: it counts after all that it had seen. */
  RequestId lastOf(ReplicaProcess process) {
    List<Entry> unsettled = process.machine().unsettled();
    if (unsettled.isEmpty()) {
      throw new Violation.Found(
          new Violation(Violation.Kind.LOST, process.name + " has not taken its own write"));
    }
    return unsettled.getLast().id();
  }

  /** A process waits from now on, until its patience ends; the ticket. */
  long begins(ReplicaProcess process, long tag, RequestId id, SimProcess.Input.Writes writes) {
    long ticket = ++lastTicket;
    Incarnation life = process.incarnation();
    open.put(ticket, new Awaited(tag, id, life, writes.acks(), new TreeMap<>()));
    if (writes.patienceMillis() > 0) {
      cluster.at(
          cluster.nowNanos() + writes.patienceMillis() * 1_000_000,
          () -> {
            if (process.isUp() && life.equals(process.incarnation())) {
              process.offer(new SimProcess.Input.EndsWait(ticket));
            }
          });
    }
    return ticket;
  }

  /** A process waits no longer. */
  void givesUp(long ticket) {
    impatient.add(ticket);
  }

  /** For how many of its writes a process waits. */
  long awaitedBy(ReplicaProcess process) {
    return open.values().stream()
        .filter(awaited -> awaited.writer().equals(process.incarnation()))
        .count();
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
    boolean lacks = awaited.holders().size() < acked.acks();
    if (lacks && !cluster.mayHaveForgottenApart()) { // Else they may have given it up.
      throw wrong(
          process.name
              + " says that "
              + acked.acks()
              + " replicas have write "
              + awaited.tag()
              + ", which have it: "
              + awaited.holders().values());
    }
    boolean isGivenUp = acked.acks() == 0 && !process.hasExecuted(awaited.id());
    if (acked.acks() < awaited.acks() && !impatient.contains(acked.ticket()) && !isGivenUp) {
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

package dev.tempest.simulator;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.time.ReplicaSettings;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Message;
import dev.tempest.wire.Piece;
import java.util.List;

/** What one replica has to keep to at each of its steps. */
final class ReplicaRules {
  /** No update of any workload takes more. */
  private static final long UPDATE_MAX_BYTES = 4_096;

  private final Cluster cluster;
  private final ReplicaProcess process;
  private final ReadAnswers reads;
  private final GossipTraffic traffic;
  private long executedBefore;

  /** Of one life of a process. */
  ReplicaRules(Cluster cluster, ReplicaProcess process) {
    this.cluster = cluster;
    this.process = process;
    this.reads = new ReadAnswers(process.name);
    ReplicaSettings settings = process.settings();
    this.traffic =
        new GossipTraffic(
            process.name,
            settings.timing().gossipIntervalMillis(),
            settings.policy().executesAny());
  }

  /** A message arrives. */
  void arrives(Message message) {
    reads.arrives(message);
  }

  /** A step begins. */
  void begins() {
    executedBefore = process.machine().status().executed();
  }

  /** A step has these effects. */
  void sends(long clockNanos, SimProcess.Input input, List<Effect> effects) {
    traffic.sends(clockNanos, input, effects);
    cluster.limitsMet().stepped(process, input, effects);
  }

  /** A message leaves. */
  void observe(Message message, long rerunsBefore, long reruns) {
    switch (message) {
      case Message.SeenReply(Message.Reply reply, var seen) -> checkRead(reply);
      case Message.Reply reply -> {
        checkRead(reply);
        checkExecuted(reply);
        noteStamp(reply);
        cluster.history().replied(process.incarnation(), reply, rerunsBefore, reruns);
      }
      case Message.Repair repair -> repair.entries().forEach(cluster.history()::seen);
      case Message.StatePiece(var service, var replica, var settled, Piece.OfEntries piece) ->
          piece.entries().forEach(cluster.history()::seen);
      default -> {}
    }
  }

  private void checkRead(Message.Reply reply) {
    // One that has asked in vain who else has executed an update does so after it has answered.
    boolean executes =
        cluster.workload().executesAny() && process.machine().status().executed() != executedBefore;
    if (!cluster.parameters().adopts() && !executes) {
      reads.answers(reply, process.instance(), process.machine());
    }
  }

  /** What is too late or too far ahead is not taken from clients as it is. */
  void checkStamp(Message.Update update) {
    long stamp = Stamp.of(update.part());
    long nowMillis = process.machine().nowMillis();
    boolean closed =
        !process.settings().policy().executesAny() // Who executes gives it a stamp of its own.
            && process.settings().timing().epochs().isClosed(stamp, Stamp.atMillis(nowMillis));
    boolean ahead =
        Stamp.millis(stamp) > nowMillis + process.settings().limits().stampAheadMaxMillis();
    if ((closed || ahead) && process.hasExecuted(update.id())) {
      String where = closed ? "in a closed epoch" : "far ahead of its clock";
      throw new Violation.Found(
          new Violation(
              Violation.Kind.INVARIANT,
              process.name + " takes " + update.id() + " from a client, " + where));
    }
  }

  /**
   * Full replicas take nothing from clients. From each other they do, as it may be acknowledged: at
   * most what each of them, in each of its lives, had taken.
   */
  void checkMemory(Event event, long bytesBefore, long bytesAfter) {
    long mayBytes = process.settings().limits().unsettledMaxBytes();
    boolean isRequest = event instanceof Event.Received(var now, var from, Message.Update update);
    if (isRequest && bytesBefore >= mayBytes && bytesAfter > bytesBefore) {
      throw tooMuch("takes an update although it has " + bytesBefore + " bytes, of " + mayBytes);
    }
    long lives = (long) cluster.replicas().size() + cluster.history().losses();
    if (bytesAfter > lives * (mayBytes + UPDATE_MAX_BYTES)) {
      throw tooMuch("has " + bytesAfter + " bytes, where each may take " + mayBytes);
    }
  }

  private Violation.Found tooMuch(String sentence) {
    return new Violation.Found(
        new Violation(
            Violation.Kind.MEMORY, process.name + " " + sentence + " of unsettled updates"));
  }

  /** Which stamp counts here: if all lacked it, it may settle before anybody looks. */
  private void noteStamp(Message.Reply reply) {
    if (reply.update()) {
      process.machine().unsettled().stream()
          .filter(entry -> entry.id().equals(reply.id()))
          .forEach(cluster.history()::seen);
    }
  }

  /** Whoever answers an update with what came of it has executed it. */
  private void checkExecuted(Message.Reply reply) {
    if (reply.update()
        && !(reply.answer() instanceof Answer.Refused)
        && !process.hasExecuted(reply.id())) {
      throw new Violation.Found(
          new Violation(
              Violation.Kind.WRONG_OUTCOME, process.name + " answers and lacks " + reply.id()));
    }
  }
}

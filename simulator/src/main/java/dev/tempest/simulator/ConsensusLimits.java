package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Placement.Room;
import dev.tempest.protocol.order.log.LogSettings;
import dev.tempest.protocol.order.log.ReplicaByConsensus;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What servers whose order is by consensus may keep, remember and let wait: little, in some worlds.
 * And which of these limits were met: one that nobody meets is not tested. Judges nothing.
 */
final class ConsensusLimits {
  /** What is limited. */
  enum Limit {
    /** A replica takes a state, since the others do not have the log any more that it lacks. */
    LOG,
    /** One that remembers as many clients as it may executes nothing of new ones. */
    CLIENTS,
    /** One has forgotten clients that were silent. */
    CLIENTS_FORGOTTEN,
    /** An update is refused since it may have been executed and forgotten, by its stamp. */
    STAMP_FORGOTTEN,
    /** One is refused since it comes so long after it was asked for that nobody executes it. */
    STAMP_LATE,
    /** One is refused since its client is further ahead of the log than clients may be. */
    STAMP_AHEAD,
    /** One has forgotten an update whose client waits, since others wait, too. */
    UPDATES,
    /** A read is refused since others wait. */
    READS,
    /** An update is refused since what others have asked for is not agreed on yet. */
    ROOM,
    /** One is refused since a server has no time or no memory for it. */
    SHED
  }

  private static final int SHORT_MEMORY_PERCENT = 40;
  private static final int FEW_CLIENTS_PERCENT = 30;
  private static final int FEW_WAIT_PERCENT = 40;
  private static final int LITTLE_ROOM_PERCENT = 30;
  private static final int SOON_TOO_LATE_PERCENT = 60;

  private static final int SOON_MILLIS = 1_000;
  private static final int LATE_MILLIS = 3_000;

  private final LogSettings.Limits limits;
  private final Room room;
  private final Set<Limit> met = EnumSet.noneOf(Limit.class);

  /**
   * Draws them apart from all else, but for the log.
   *
   * @param hasClients whether there are front-ends; processes that write by themselves would wait
   *     for ever where there is room for nothing
   */
  ConsensusLimits(long seed, long logMaxBytes, boolean hasClients) {
    Randomness random = new Randomness(Randomness.mix(~seed));
    LogSettings.Limits usual = LogSettings.Limits.USUAL;
    boolean hasShortMemory = Evenly.SHORT_MEMORY.chance(SHORT_MEMORY_PERCENT, seed);
    boolean fewWait = hasClients && Evenly.WAITS.chance(FEW_WAIT_PERCENT, seed);
    this.limits =
        new LogSettings.Limits(
            logMaxBytes,
            hasShortMemory ? shortMemory(seed, random) : usual.clients(),
            hasShortMemory ? SOON_MILLIS : usual.stampAheadMaxMillis(),
            stampBehindMaxMillis(seed, usual),
            fewWait ? 1 : usual.updates(),
            usual.keptMaxBytes(),
            fewWait ? 1 : usual.reads());
    boolean isLittle = hasClients && Evenly.LITTLE_MEMORY.chance(LITTLE_ROOM_PERCENT, seed);
    this.room = isLittle ? new Room(random.between(30, 300), 1) : Room.USUAL;
  }

  private static ClientTable.Bounds shortMemory(long seed, Randomness random) {
    int atLeastMillis = random.between(SOON_MILLIS * 13 / 10, 2_500);
    ClientTable.Bounds usual = LogSettings.Limits.USUAL.clients();
    return new ClientTable.Bounds(
        atLeastMillis,
        random.between(atLeastMillis, 3_000),
        Evenly.FEW_REPLICAS.chance(FEW_CLIENTS_PERCENT, seed)
            ? random.between(200, 900)
            : usual.maxBytes(),
        usual.answersMax(),
        usual.intervalsMax());
  }

  private static int stampBehindMaxMillis(long seed, LogSettings.Limits usual) {
    return Evenly.LATE.chance(SOON_TOO_LATE_PERCENT, seed)
        ? new Randomness(Randomness.mix(seed + 2)).between(150, 700)
        : usual.stampBehindMaxMillis();
  }

  /** For so long at most a client asks for one thing: for longer it is remembered. */
  int deadlineMillis() {
    return forgetsSoon() ? SOON_MILLIS : LATE_MILLIS;
  }

  /** Whether clients are forgotten while others count. */
  boolean forgetsSoon() {
    return limits.clients().atLeast() < LogSettings.Limits.USUAL.clients().atLeast();
  }

  /** Whether there is room for a few clients at a time. */
  boolean areForFewClients() {
    return limits.clients().maxBytes() < LogSettings.Limits.USUAL.clients().maxBytes();
  }

  LogSettings.Limits ofLog() {
    return limits;
  }

  Room room() {
    return room;
  }

  /** All that were met until now. */
  Set<Limit> met() {
    return Collections.unmodifiableSet(met);
  }

  /** A replica has made a step. */
  void stepped(ReplicaByConsensus replica, List<Effect> effects) {
    note(Limit.CLIENTS_FORGOTTEN, replica.mayHaveForgotten(0));
    note(Limit.UPDATES, replica.forgottenUpdates() > 0);
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.Send(Address to, Message message) -> sent(replica, message);
        case Effect.Make(Address to, var message) -> sent(replica, message.get());
        default -> {}
      }
    }
  }

  private void sent(ReplicaByConsensus replica, Message message) {
    switch (message) {
      case Message.OfLog said -> note(Limit.LOG, said.said() instanceof LogMessage.StateWish);
      case Message.Reply reply when reply.answer() instanceof Answer.Refused refusal ->
          refused(replica, reply, refusal);
      default -> {}
    }
  }

  private void refused(ReplicaByConsensus replica, Message.Reply reply, Answer.Refused how) {
    Reason why = how.reason();
    boolean isUpdate = reply.update();
    boolean isShed = Shedding.isIn(how);
    boolean hasNoRoom = why == Reason.OVERLOADED && isUpdate && !isShed;
    note(Limit.SHED, isShed);
    boolean isByLog = reply.part() instanceof OrderPart.Logged;
    note(Limit.ROOM, hasNoRoom && replica.isFull());
    note(Limit.CLIENTS, hasNoRoom && !replica.isFull());
    note(Limit.STAMP_FORGOTTEN, why == Reason.STAMP_EXPIRED && !isByLog);
    note(Limit.STAMP_LATE, why == Reason.STAMP_EXPIRED && isByLog);
    note(Limit.STAMP_AHEAD, why == Reason.STAMP_AHEAD);
    note(Limit.READS, why == Reason.OVERLOADED && !isUpdate);
  }

  private void note(Limit limit, boolean isMet) {
    if (isMet) {
      met.add(limit);
    }
  }
}

package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.time.ReplicaSettings;
import dev.tempest.simulator.SimProcess.Input;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Kept;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Have;
import dev.tempest.wire.Message.PieceRequest;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.Want;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.Wish;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which of the limits that worlds scale down were met: a limit that nobody meets is not tested.
 * Judges nothing.
 */
final class LimitsMet {
  /** What replicas may have, keep, remember or wait for. */
  enum Limit {
    /** A replica that has as much unsettled as it may takes no more from its clients or process. */
    UNSETTLED,
    /** One that remembers as many clients as it may takes nothing of new ones. */
    CLIENTS,
    /** One has forgotten clients that were silent. */
    CLIENTS_FORGOTTEN,
    /** One has forgotten the earlier updates of a client that has left out many numbers. */
    INTERVALS,
    /** One has dropped the earliest of what was settled at the end of epochs. */
    HISTORY,
    /** One has dropped settled calls that somebody who is away may lack. */
    KEPT,
    /** One has forgotten that somebody may be away, since that was long ago. */
    ABSENCE,
    /** The same, since others have left. */
    ABSENT,
    /** One knows of as many others as it may that it contains what they have settled. */
    ANCESTORS,
    /** A client asks for an answer that others have displaced, and has not said that it has it. */
    ANSWERS,
    /** Two have settled without each other, and remember all that they have. */
    REUNION,
    /** One gives entries up that came again too late. */
    TOO_OLD,
    /** A writer waits for those who lack as many of its writes as they may. */
    AHEAD,
    /** The same for what these take. */
    AHEAD_BYTES,
    /** What another one lacks are as many entries as come at once. */
    REPAIR,
    /** They are more than come at once, for what they take. */
    REPAIR_BYTES,
    /** A state takes more than one piece. */
    PIECES,
    /** One replica goes on where another one has stopped. */
    PIECES_OF_ANOTHER,
    /** An update comes after its epoch was closed. */
    STAMP_EXPIRED,
    /** An update comes long before its time. */
    STAMP_AHEAD,
    /** A read is refused since others wait for what their clients have seen. */
    READS,
    /** One forgets an update that waits for another replica, since others wait, too. */
    UPDATES,
    /** One asks for acks of as many of its writes as it may at once. */
    ACKS,
    /** More has been seen than a handle holds. */
    SEEN,
    /** A replica's clock has leapt, and it does not say what time it is. */
    UNSURE,
    /** An update is refused since its server has no time or no memory for it. */
    SHED,
    /** One finds that most others are further ahead of it, or behind it, than clocks may be. */
    FAR_OFF
  }

  /**
   * A replica has asked for a piece of a state.
   *
   * @param goesOn whether another one had come
   * @param taken how many states it had taken by then
   */
  private record Asked(Address giver, Prefix settled, boolean goesOn, long taken) {
    boolean isOfTheStateOf(Asked other) {
      return settled.equals(other.settled) && taken == other.taken;
    }

    Asked goingOnAfter(Asked before) {
      return new Asked(giver, settled, goesOn || before.goesOn, taken);
    }
  }

  /** Nobody has settled this: only one that has forgotten how it began may take it for true. */
  private static final Prefix NEVER = new Prefix(0, 1, 1);

  /** More are not looked through at every step. */
  private static final int SHORT_HISTORY = 20;

  private final Cluster cluster;
  private final Set<Limit> met = EnumSet.noneOf(Limit.class);
  private final Map<Incarnation, Asked> asked = new TreeMap<>();
  private final Map<Incarnation, List<Long>> away = new TreeMap<>();

  LimitsMet(Cluster cluster) {
    this.cluster = cluster;
  }

  /** All that were met until now. */
  Set<Limit> all() {
    return Collections.unmodifiableSet(met);
  }

  /** A replica has made a step. */
  void stepped(ReplicaProcess process, Input input, List<Effect> effects) {
    ReplicaMachine machine = process.machine();
    ReplicaSettings.Limits limits = process.settings().limits();
    boolean isFull = machine.unsettledBytes() >= limits.unsettledMaxBytes();
    note(Limit.UNSETTLED, input instanceof Input.Writes && isFull);
    note(Limit.CLIENTS_FORGOTTEN, machine.mayHaveForgotten(0));
    note(Limit.INTERVALS, forgetsSome(process, machine));
    note(Limit.HISTORY, limits.memory().epochs() <= SHORT_HISTORY && machine.hasSettled(NEVER));
    note(Limit.REUNION, cluster.history().hasSettledApart() && !cluster.mayHaveForgottenApart());
    boolean isAhead = machine.isAhead();
    boolean countsBytes = limits.aheadMaxBytes() < ReplicaSettings.Limits.USUAL.aheadMaxBytes();
    boolean waits = isAhead && input instanceof Input.Writes && !onlyCalls();
    note(Limit.AHEAD, waits && !countsBytes);
    note(Limit.AHEAD_BYTES, waits && countsBytes && machine.unsettled().size() < limits.aheadMax());
    lookWhoIsAway(process, limits.memory().absent());
    note(Limit.UNSURE, isAhead && onlyCalls());
    note(Limit.UPDATES, machine.forgottenUpdates() > 0);
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.FarAhead ahead -> met.add(Limit.FAR_OFF);
        case Effect.ClockSet set -> met.add(Limit.FAR_OFF);
        case Effect.Reconciled(var what) -> note(Limit.TOO_OLD, what.withdrawn().count() > 0);
        case Effect.Spread(Message.AckRequest request) -> asksForAcks(process);
        case Effect.Send(Address to, Message message) -> sent(process, isFull, input, to, message);
        default -> {}
      }
    }
  }

  /** Whether it knows a client, and not all of its updates. */
  private boolean forgetsSome(ReplicaProcess process, ReplicaMachine machine) {
    return process.settings().limits().memory().intervals() <= SHORT_HISTORY
        && !met.contains(Limit.INTERVALS)
        && !machine.mayHaveForgotten(0)
        && cluster.history().clients().anyMatch(machine::mayHaveForgotten);
  }

  private void lookWhoIsAway(ReplicaProcess process, int most) {
    Kept kept = process.machine().kept();
    List<Long> now = kept.away().stream().map(Kept.Absence::replica).toList();
    List<Long> before = away.put(process.incarnation(), now);
    if (process.machine().taken() == 0) { // What it has taken says nothing of what it did.
      boolean wasFull = before != null && before.size() == most && now.size() == most;
      note(Limit.ABSENT, wasFull && !process.present().containsAll(before) && !now.equals(before));
      boolean waitsForAnybody = now.contains(Kept.ANYBODY);
      note(Limit.ABSENCE, !waitsForAnybody && now.size() < most && process.isActive());
      note(
          Limit.KEPT,
          waitsForAnybody
              && kept.sinceEpoch() >= 0
              && onlyCalls()
              && cluster.parameters().hasLittleMemory());
    }
  }

  /** A process has asked what it has seen; nothing says that it is more than a handle holds. */
  void asked(@Nullable Seen seen) {
    note(Limit.SEEN, seen == null);
  }

  private void asksForAcks(ReplicaProcess process) {
    note(
        Limit.ACKS,
        cluster.ackedWrites().awaitedBy(process) > process.settings().limits().waits().acks());
  }

  /** Whether a read that was refused has just come: it did not wait. */
  private static boolean isAskedFor(RequestId id, Input input) {
    return input instanceof Input.Arrived(int from, Message.SeenRead asked)
        && asked.read().id().equals(id);
  }

  private static boolean isFull(Message.Repair repair, ReplicaProcess process) {
    return repair.entries().size() == process.settings().limits().repairMax();
  }

  private static Predicate<Entry> isIn(Want want) {
    return entry ->
        want.ids().stream()
            .anyMatch(each ->
                each.client() == entry.id().client()
                    && each.sequences().contains(entry.id().sequence()));
  }

  /** Whether replicas write nothing by themselves. */
  private boolean onlyCalls() {
    return !cluster.workload().writes() && !cluster.workload().executesAny();
  }

  private void note(Limit limit, boolean isMet) {
    if (isMet) {
      met.add(limit);
    }
  }

  private void sent(
      ReplicaProcess process, boolean isFull, Input input, Address to, Message message) {
    switch (message) {
      case Message.Reply reply
          when reply.update() && reply.answer() instanceof Answer.Refused refused -> {
        note(Limit.STAMP_EXPIRED, refused.reason() == Reason.STAMP_EXPIRED);
        note(Limit.STAMP_AHEAD, refused.reason() == Reason.STAMP_AHEAD);
        boolean isShed = Shedding.isIn(refused);
        boolean isOverloaded = refused.reason() == Reason.OVERLOADED && !isShed;
        note(Limit.SHED, isShed);
        note(Limit.UNSETTLED, isOverloaded && isFull);
        note(Limit.CLIENTS, isOverloaded && !isFull);
        boolean isForgotten = refused.reason() == Reason.RESULT_FORGOTTEN;
        note(
            Limit.ANSWERS,
            isForgotten
                && !cluster.parameters().hasLittleMemory()
                && !cluster.history().isConfirmed(reply.id()));
      }
      case Message.Reply reply
          when reply.answer() instanceof Answer.Refused refused
              && isAskedFor(reply.id(), input) -> {
        note(Limit.READS, refused.reason() == Reason.BEHIND);
        note(Limit.SEEN, refused.reason() == Reason.OVERLOADED);
      }
      case Message.AckRequest request -> asksForAcks(process);
      case Message.Repair repair when input instanceof Input.Arrived(int from, Want want) -> {
        long found = process.machine().unsettled().stream().filter(isIn(want)).count();
        note(Limit.REPAIR_BYTES, !isFull(repair, process) && repair.entries().size() < found);
      }
      case Message.Repair repair when input instanceof Input.Arrived(int from, Have have) ->
          note(Limit.REPAIR, isFull(repair, process));
      case Message.StateOffer offer when process.machine().taken() == 0 -> {
        int ancestors = offer.past().ancestors().size();
        note(Limit.ANCESTORS, ancestors == process.settings().limits().memory().ancestors());
      }
      case PieceRequest request -> {
        boolean isNext = input instanceof Input.Arrived(int from, Message.StatePiece piece);
        note(Limit.PIECES, isNext && request.wish() instanceof Wish.OfVersion);
        Asked before = asked.get(process.incarnation());
        Asked now = new Asked(to, request.settled(), isNext, process.machine().taken());
        if (before != null && before.isOfTheStateOf(now)) {
          now = now.goingOnAfter(before);
          note(Limit.PIECES_OF_ANOTHER, now.goesOn && !now.giver.equals(before.giver));
        }
        asked.put(process.incarnation(), now);
      }
      default -> {}
    }
  }
}

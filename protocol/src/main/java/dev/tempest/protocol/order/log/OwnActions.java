package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Effect.Decision;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.Mix;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Stand;
import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.Executed;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.LogMessage.Action;
import dev.tempest.wire.LogMessage.Asked;
import dev.tempest.wire.LogMessage.Certified;
import dev.tempest.wire.LogMessage.Offer;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The actions of this process, from their execution until it is known whether they count. One offer
 * is on its way to the leader; what is executed meanwhile, on what that may come to, goes with the
 * next one: so however many threads wait, each round trip decides on what all of them did.
 *
 * <p>An offer is for the leader of one ballot. If another one leads before its actions are
 * committed, they never are: so what is not committed by then can be executed again, and nothing
 * counts twice. Not thread-safe.
 */
final class OwnActions {
  /** Of one offer, beyond its first action. */
  private static final int OFFER_BYTES_MAX = 1 << 20;

  /** An answer is waited for so much longer for so many bytes. */
  private static final int AGAIN_BYTES = 64 << 10;

  /** And twice as long each time, but for so many times only. */
  private static final int DOUBLINGS_MAX = 4;

  private static final String ANOTHER_LEADS = "another member has begun to lead meanwhile";
  private static final String NO_MAJORITY =
      "no majority of the members answered, and what this node has written before was given up";
  private static final String FORGOTTEN =
      ANOTHER_LEADS + ", and what it has handed over tells no more what became of this action";

  private static final long NOBODY_WAITS = 0;
  private static final long NEVER = Long.MAX_VALUE;

  /** An action that nobody knows of yet, or that is on its way. */
  private record Pending(long ticket, long base, Action action) {
    int sizeBytes() {
      return SlotEntry.BASE_BYTES + action.footprint().size() + action.change().size();
    }
  }

  /** The offer that is on its way. */
  private static final class Flight {
    final Offer offer;
    final List<Pending> actions;
    final IntervalSet committed = new IntervalSet();

    /** The numbers of those that clients have asked for. */
    final Map<RequestId, Long> asked = new LinkedHashMap<>();

    @Nullable Certified answer;

    /** How often it was sent. */
    int sent;

    /** Another leader has begun: none of it is committed any more. */
    boolean isOver;

    /** What was committed is not known of all of it. */
    boolean isForgotten;

    /** Of one of them another execution counts: what saw this one's does not. */
    boolean isReplaced;

    Flight(Offer offer, List<Pending> actions) {
      this.offer = offer;
      this.actions = actions;
      for (int i = 0; i < actions.size(); i++) {
        Asked update = actions.get(i).action().asked();
        if (update != null) {
          asked.put(update.id(), offer.first() + i);
        }
      }
    }
  }

  /** How offers reach the leader. */
  interface Outbox {
    void offer(long leader, Offer offer);
  }

  private final long self;
  private final ServiceInstance service;
  private final Agreement log;
  private final Executor executor;
  private final long againNanos;
  private final long maxBytes;
  private List<Pending> open = new ArrayList<>();
  private long openBytes;
  private @Nullable Flight flight;
  private final Set<RequestId> undecided = new LinkedHashSet<>();
  private final ArrayDeque<RequestId> refused = new ArrayDeque<>(0);
  private long nextFirst;
  private long nextNanos = NEVER;

  /** Counts while something is open or on its way. */
  private Stand stand;

  private long run;

  /** Why the run before this one has ended; empty if others have written what it read. */
  private String whyEnded = "";

  /**
   * Without actions.
   *
   * @param againNanos after which a small offer is sent again
   * @param maxBytes what may wait
   * @param seed 64 random bits of this life: it begins at a number of its own, since answers to an
   *     earlier one may come late
   */
  OwnActions(
      long self,
      ServiceInstance service,
      Agreement log,
      Executor executor,
      long againNanos,
      long maxBytes,
      long seed) {
    this.self = self;
    this.service = service;
    this.log = log;
    this.executor = executor;
    this.againNanos = againNanos;
    this.maxBytes = maxBytes;
    this.nextFirst = 1 + (Mix.mix(seed) >>> 20);
    this.stand = new Stand(service.emptyVersion(), 0, 0);
  }

  boolean isEmpty() {
    return open.isEmpty() && flight == null;
  }

  boolean isFull() {
    return openBytes > maxBytes;
  }

  /** What the next action is executed on. */
  Stand stand() {
    return isEmpty() ? agreed() : stand;
  }

  private Stand agreed() {
    LogState state = executor.state();
    return new Stand(state.applied().version(), state.point().slot(), run);
  }

  /** An action was executed. */
  void take(Event.Acted acted, List<Effect> effects) {
    if (acted.stand().run() != run) {
      effects.add(new Effect.Decided(acted.ticket(), Decision.AGAIN, whyEnded));
      return;
    }
    Action action = new Action(acted.footprint(), acted.change(), null);
    // Something may have been declared since it began.
    take(acted.ticket(), acted.stand(), action, service.upgrade(acted.after()));
  }

  /** An update that a client asked for was executed on {@link #stand}, just now. */
  void take(Apart update, RequestId id) {
    undecided.add(id);
    take(NOBODY_WAITS, stand(), update.action(), update.after());
  }

  private void take(long ticket, Stand on, Action action, Version after) {
    Pending pending = new Pending(ticket, on.base(), action);
    open.add(pending);
    openBytes += pending.sizeBytes();
    stand = new Stand(after, on.base(), run);
  }

  /** Whether it was executed here, and it is not known yet whether that counts. */
  boolean isUndecided(RequestId id) {
    return undecided.contains(id);
  }

  /** An update that was executed here and does not count, or has come here from elsewhere. */
  @Nullable RequestId takeRefused() {
    return refused.pollFirst();
  }

  boolean hasRefused() {
    return !refused.isEmpty();
  }

  /** Who waits for it waits no longer; nothing if it was decided. */
  void end(long ticket, List<Effect> effects) {
    Flight flying = flight;
    for (int i = 0; flying != null && i < flying.actions.size(); i++) {
      Pending pending = flying.actions.get(i);
      if (pending.ticket() == ticket) {
        flying.actions.set(i, new Pending(NOBODY_WAITS, pending.base(), pending.action()));
        effects.add(new Effect.Decided(ticket, Decision.UNKNOWN, ""));
        return;
      }
    }
    if (open.stream().anyMatch(pending -> pending.ticket() == ticket)) {
      effects.add(new Effect.Decided(ticket, Decision.FAILED, ""));
      open.removeIf(pending -> pending.ticket() == ticket);
      dropOpen(NO_MAJORITY, effects); // They may have seen what it wrote.
      rebase();
    }
  }

  private void dropOpen(String why, List<Effect> effects) {
    run++;
    whyEnded = why;
    List<Pending> dropped = open;
    open = new ArrayList<>();
    openBytes = 0;
    dropped.forEach(pending -> decide(pending, Decision.AGAIN, why, effects));
  }

  /**
   * A leader says which of them count. If another one leads by now, what counts is known once that
   * one has begun: a state that was taken may hide that it has.
   */
  void received(Certified certified) {
    Flight flying = flight;
    if (flying != null
        && certified.ballot().equals(flying.offer.ballot())
        && certified.ballot().equals(log.ballot())
        && certified.first() == flying.offer.first()) {
      flying.answer = certified;
    }
  }

  /** An entry is committed. */
  void committed(SlotEntry entry) {
    Flight flying = flight;
    if (flying == null) {
      return;
    }
    if (entry instanceof SlotEntry.Proposed proposed) {
      RequestId id = proposed.id();
      Long number = id.client() == self ? Long.valueOf(id.sequence()) : flying.asked.get(id);
      if (number != null) {
        flying.committed.add(number);
        flying.isReplaced |= id.client() != self && !isAsExecutedHere(flying, number, proposed);
      }
    } else if (entry instanceof SlotEntry.Begun(var ballot)) {
      flying.isOver |= flying.offer.ballot().isBelow(ballot);
    }
  }

  private static boolean isAsExecutedHere(Flight flying, long number, SlotEntry.Proposed proposed) {
    Action own = flying.actions.get((int) (number - flying.offer.first())).action();
    return proposed.body() instanceof Executed executed && executed.writes().equals(own.change());
  }

  /**
   * The state of a leader took the place of what was committed here. If it is another leader than
   * that of the offer, what that one has answered need not hold, and what is committed after the
   * state may be of the offer, until the other one begins: if not in the state, then in the log.
   */
  void installed() {
    Flight flying = flight;
    if (flying != null) {
      ClientTable clients = executor.state().applied().clients();
      for (int i = 0; i < flying.actions.size(); i++) {
        long number = flying.offer.first() + i;
        Asked asked = flying.actions.get(i).action().asked();
        if (clients.contains(asked == null ? new RequestId(self, number) : asked.id())) {
          flying.committed.add(number);
          flying.isReplaced |= asked != null; // Or it may be.
        }
      }
      flying.isForgotten = clients.mayHaveForgotten(self, 0);
      if (flying.offer.ballot().isBelow(log.ballot())) {
        flying.answer = null;
        flying.isOver |= !isAnotherBegunLater(flying);
      }
    }
    rebase();
  }

  private boolean isAnotherBegunLater(Flight flying) {
    for (long slot = executor.state().point().slot(); slot < log.length(); slot++) {
      if (log.get(slot) instanceof SlotEntry.Begun(var ballot)
          && flying.offer.ballot().isBelow(ballot)) {
        return true;
      }
    }
    return false;
  }

  /** Goes on: sees what is decided, and offers what is open. */
  void look(boolean active, long nowNanos, Outbox outbox, List<Effect> effects) {
    settleWhatIsDecided(effects);
    if (flight == null && mayOffer(active)) {
      offer();
      nextNanos = nowNanos;
    }
    Flight flying = flight;
    if (flying != null && nowNanos >= nextNanos) {
      nextNanos = nowNanos + patienceNanos(flying);
      if (flying.answer == null && log.ballot().equals(flying.offer.ballot())) {
        flying.sent++;
        outbox.offer(flying.offer.ballot().replica(), flying.offer);
        settleWhatIsDecided(effects); // It may lead itself.
      }
    }
    if (flight == null) {
      nextNanos = mayOffer(active) ? nowNanos : NEVER;
    }
  }

  /** How long what is sent now may be on its way, and its answer, before it counts as lost. */
  private long patienceNanos(Flight flying) {
    long bytes = flying.actions.stream().mapToLong(Pending::sizeBytes).sum();
    long doubled = 1L << Math.min(flying.sent, DOUBLINGS_MAX);
    return againNanos * Math.max(doubled, 1 + bytes / AGAIN_BYTES);
  }

  /** Whether there is something to offer, and somebody to offer it to; that one is heard of. */
  private boolean mayOffer(boolean active) {
    return !open.isEmpty() && active && !log.ballot().equals(Ballot.NONE);
  }

  private void settleWhatIsDecided(List<Effect> effects) {
    Flight flying = flight;
    if (flying != null && isDecided(flying)) {
      flight = null;
      settle(flying, effects);
      if (isEmpty()) {
        stand = new Stand(service.emptyVersion(), 0, run); // Else it keeps what is removed later.
      }
    }
  }

  private boolean isDecided(Flight flying) {
    Certified answer = flying.answer;
    return flying.isOver || (answer != null && executor.state().point().slot() >= answer.through());
  }

  private void settle(Flight flying, List<Effect> effects) {
    Certified answer = flying.isOver ? null : flying.answer;
    boolean allCount = true;
    for (int i = 0; i < flying.actions.size(); i++) {
      long number = flying.offer.first() + i;
      Decision decision =
          answer == null || flying.committed.contains(number)
              ? known(flying, number)
              : certified(answer, number);
      allCount &= decision == Decision.COUNTS;
      decide(flying.actions.get(i), decision, why(decision, answer), effects);
    }
    if (!allCount || flying.isReplaced) {
      dropOpen(why(Decision.AGAIN, answer), effects);
    }
    rebase();
  }

  private static String why(Decision decision, @Nullable Certified answer) {
    return switch (decision) {
      case COUNTS -> "";
      case AGAIN -> answer == null ? ANOTHER_LEADS : "";
      case FAILED -> answer == null ? "" : answer.why();
      case UNKNOWN -> FORGOTTEN;
    };
  }

  private static Decision certified(Certified answer, long number) {
    if (number == answer.failed()) {
      return Decision.FAILED;
    }
    return answer.refused().contains(number) ? Decision.AGAIN : Decision.COUNTS;
  }

  /** What another leader has left of it. */
  private static Decision known(Flight flying, long number) {
    if (flying.committed.contains(number)) {
      return Decision.COUNTS;
    }
    return flying.isForgotten ? Decision.UNKNOWN : Decision.AGAIN;
  }

  private void decide(Pending pending, Decision decision, String why, List<Effect> effects) {
    Asked asked = pending.action().asked();
    if (asked != null) {
      undecided.remove(asked.id());
      if (decision != Decision.COUNTS) {
        refused.add(asked.id());
      }
    } else if (pending.ticket() != NOBODY_WAITS) {
      effects.add(new Effect.Decided(pending.ticket(), decision, why));
    }
  }

  /**
   * What comes next sees what others wrote meanwhile. If what is on its way or open depends on
   * that, the leader refuses it, and with it all that is executed from now on.
   */
  private void rebase() {
    Stand agreed = agreed();
    Version version = agreed.version();
    Flight flying = flight;
    for (int i = 0; flying != null && i < flying.actions.size(); i++) {
      if (!flying.committed.contains(flying.offer.first() + i)) {
        version = applied(version, flying.actions.get(i));
      }
    }
    for (Pending pending : open) {
      version = applied(version, pending);
    }
    stand = new Stand(version, agreed.base(), run);
  }

  private Version applied(Version before, Pending pending) {
    Execution applied = service.apply(before, pending.action().change());
    if (!(applied.result() instanceof Result.Returned)) {
      throw new IllegalStateException("cannot apply what was written here: " + applied.result());
    }
    return applied.after();
  }

  private void offer() {
    List<Pending> offered = new ArrayList<>();
    List<Action> actions = new ArrayList<>();
    long bytes = 0;
    for (Pending pending : open) {
      bytes += pending.sizeBytes();
      if (offered.size() == Offer.ACTIONS_MAX || (bytes > OFFER_BYTES_MAX && !offered.isEmpty())) {
        break;
      }
      openBytes -= pending.sizeBytes();
      offered.add(pending);
      actions.add(pending.action());
    }
    open = new ArrayList<>(open.subList(offered.size(), open.size()));
    long base = offered.getFirst().base(); // The others saw more.
    flight = new Flight(new Offer(log.ballot(), nextFirst, base, actions), offered);
    nextFirst += offered.size();
  }

  /** The state has more collections than before. */
  void upgrade() {
    stand = new Stand(service.upgrade(stand.version()), stand.base(), run);
  }

  /** When {@link #look} has something to do, whatever happens until then. */
  long nextTickNanos() {
    return nextNanos;
  }

  void checkInvariants() {
    Invariant.check(!open.isEmpty() || openBytes == 0, "nothing takes no room");
  }
}

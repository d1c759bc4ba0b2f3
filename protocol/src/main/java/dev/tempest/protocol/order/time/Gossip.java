package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.View;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Digest;
import dev.tempest.wire.Message.Have;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.RangeIds;
import dev.tempest.wire.Message.Repair;
import dev.tempest.wire.Message.ReplicaMessage;
import dev.tempest.wire.Message.Want;
import java.util.ArrayList;
import java.util.List;

/**
 * What a replica answers in the rounds of others (Tempest, section 3.2): shows what it has where
 * that differs, gives what they lack, and takes what is lacking here.
 *
 * <p>Does not start rounds, and neither settles nor orders. Not thread-safe.
 */
final class Gossip {
  private static final int MUCH_REPAIRED = 4_096;

  private final ReplicaSettings settings;
  private final View view;
  private final Window window;
  private final Stability stability;
  private final ReplicaClock clock;
  private final AntiEntropy antiEntropy;
  private final Adoption adoption;
  private final Merger merger;
  private final Transfers transfers;
  private final Divergence divergence;
  private final Reconciliations reconciliations;
  private final Suspension suspension;
  private final Round round;
  private final Sweep sweep = new Sweep();
  private long repaired;
  private long repairedBefore;

  Gossip(
      ReplicaSettings settings,
      View view,
      Window window,
      Stability stability,
      ReplicaClock clock,
      AntiEntropy antiEntropy,
      Merger merger,
      Transfers transfers,
      Divergence divergence,
      Reconciliations reconciliations,
      Suspension suspension) {
    this.settings = settings;
    this.view = view;
    this.window = window;
    this.stability = stability;
    this.clock = clock;
    this.antiEntropy = antiEntropy;
    this.adoption = new Adoption(settings.policy().reconcile(), clock);
    this.merger = merger;
    this.transfers = transfers;
    this.divergence = divergence;
    this.reconciliations = reconciliations;
    this.suspension = suspension;
    this.round = new Round(settings.timing().gossipIntervalMillis() * ReplicaClock.NANOS_PER_MILLI);
  }

  /** How many entries came by it. */
  long repaired() {
    return repaired;
  }

  /** Whether so much has come since this was last asked that more will: it can run together. */
  boolean bringsMuch() {
    boolean much = repaired - repairedBefore >= MUCH_REPAIRED;
    repairedBefore = repaired;
    return much;
  }

  /** Another replica says what it has: compares, and says where it differs here. */
  void take(Digest digest, List<Effect> effects) {
    long other = digest.replica();
    Prefix ours = window.settled();
    Prefix theirs = digest.settled();
    if (theirs.throughEpoch() > ours.throughEpoch()) {
      if (!window.through(theirs.throughEpoch()).equals(theirs)) {
        transfers.ask(other, effects);
        return;
      }
      // They have agreed on it with all that they know: only the news of it was missing here.
      merger.settle(theirs.throughEpoch(), List.of(other));
      if (window.cannot() != null) {
        suspension.settledElsewhere(theirs.throughEpoch());
        transfers.ask(other, effects);
      }
    } else if (!window.history().leadsThrough(ours, theirs)
        && theirs.throughEpoch() == ours.throughEpoch()
        && merger.hasFewer(other, theirs)) {
      transfers.ask(other, effects);
      return;
    } else if (!theirs.equals(ours) && !isMerelyLate(digest)) {
      tell(other, effects); // The other one settles too, or asks for the state.
      return;
    }
    merger.shares(other, theirs);
    if (theirs.equals(window.settled()) && divergence.isToBeCleared(digest, effects)) {
      tell(divergence.lowest(), effects);
    }
    stability.compare(other, digest.closed(), window);
    var differences = antiEntropy.differences(window, digest, clock.quietThrough());
    if (!differences.isEmpty()) {
      differs(other, differences, effects);
    }
  }

  /** Says what is here where another replica has something else; all of it leaves as one. */
  private void differs(long other, List<RangeIds> differences, List<Effect> effects) {
    if (!round.answers(clock.nowNanos())) {
      return;
    }
    List<Entry> few =
        adoption.isMerging() ? antiEntropy.fewEntries(window, differences) : List.of();
    if (!few.isEmpty()) {
      view.send(other, antiEntropy.repair(few), effects); // Before it finds that it lacks them.
    }
    view.send(other, new Have(settings.service(), settings.self(), differences), effects);
  }

  /** Whether it has all that is settled here, nothing is wrong with it, and it will settle, too. */
  private boolean isMerelyLate(Digest digest) {
    Prefix ours = window.settled();
    Prefix theirs = digest.settled();
    Prefix closed = digest.closed();
    boolean sameEntries = theirs.count() == ours.count() && theirs.hash() == ours.hash();
    return closed.throughEpoch() >= ours.throughEpoch()
        && window.through(closed.throughEpoch()).equals(closed)
        && !(sameEntries && digest.stateHash() != divergence.stateHash());
  }

  /** Others are there now. */
  void viewChanged() {
    sweep.viewChanged(view.others());
  }

  /** Another replica has these: gives and asks for what is lacking. */
  void take(Have have, List<Effect> effects) {
    if (!round.answers(clock.nowNanos())) {
      return;
    }
    long other = have.replica();
    var comparison = antiEntropy.compare(window, have.ranges());
    switch (adoption.about(other, comparison)) {
      case EXCHANGE -> exchange(other, comparison, effects);
      case TAKE_THEIRS -> view.send(other, antiEntropy.want(comparison.onlyTheirs()), effects);
      case LEAVE_IT_TO_THEM -> {
        var ours = antiEntropy.ours(window, have.ranges());
        view.send(other, new Have(settings.service(), settings.self(), ours), effects);
      }
    }
  }

  /** All of it leaves as one. */
  private void exchange(long other, AntiEntropy.Comparison comparison, List<Effect> effects) {
    if (!comparison.onlyTheirs().isEmpty()) {
      view.send(other, antiEntropy.want(comparison.onlyTheirs()), effects);
    }
    List<Entry> give = new ArrayList<>(comparison.theyLack());
    give.addAll(sweep.next(other, comparison.differ()));
    if (!give.isEmpty()) {
      Repair repair = antiEntropy.repair(give);
      if (repair.entries().size() > comparison.theyLack().size()) {
        sweep.sent(other, repair.entries().getLast());
      }
      view.send(other, repair, effects);
    }
    List<RangeIds> unclear = antiEntropy.byEpoch(window, comparison.unclear());
    if (!unclear.isEmpty()) {
      view.send(other, new Have(settings.service(), settings.self(), unclear), effects);
    }
  }

  /** Another replica lacks these. */
  void take(Want want, List<Effect> effects) {
    adoption.wanted(want);
    List<Entry> entries = antiEntropy.wanted(window, want.ids());
    if (settings.policy().executesAny()
        && !entries.isEmpty()
        && entries.size() <= Executions.ASKED_MAX) {
      view.send(want.replica(), antiEntropy.repair(entries), effects); // A client waits for it.
    } else if (!entries.isEmpty()) {
      answer(want.replica(), antiEntropy.repair(entries), effects);
    }
  }

  /** Tells another replica what is here, if this round has room for it. */
  void tell(long other, List<Effect> effects) {
    if (round.answers(clock.nowNanos())) {
      speak(other, effects);
    }
  }

  /** Tells another replica what is here, and so what time it is, if that is known. */
  void speak(long other, List<Effect> effects) {
    if (!clock.isUnsure()) {
      view.send(other, digest(), effects);
    }
  }

  private void answer(long other, ReplicaMessage message, List<Effect> effects) {
    if (round.answers(clock.nowNanos())) {
      view.send(other, message, effects);
    }
  }

  /** These may be lacking here. */
  void take(Repair repair, List<Effect> effects) {
    window.giveUp(adoption.givenUpFor(repair), reconciliations::givenUp);
    boolean tooLate = false;
    List<Entry> entries = new ArrayList<>(repair.entries());
    entries.removeIf(entry -> isTooFarAhead(entry) || window.isTooOld(entry));
    for (Entry entry : entries) {
      if (isTooLate(entry)) {
        tooLate = true;
      } else if (window.epochOf(entry) <= clock.closedThrough() && !window.contains(entry.id())) {
        reconciliations.late(entry.id());
      }
    }
    repaired += window.insert(entries);
    if (tooLate) {
      tell(repair.replica(), effects); // It learns, and puts them in again.
    }
  }

  /** Whether it would have had to come earlier: its epoch has settled without it. */
  private boolean isTooLate(Entry entry) {
    return window.epochOf(entry) <= window.settled().throughEpoch()
        && !window.clients().contains(entry.id());
  }

  /**
   * Whether nobody whose clock is right can have taken it: whoever took it from a client may be as
   * far ahead of this replica as the client was of it. It comes again when its time has come.
   */
  private boolean isTooFarAhead(Entry entry) {
    long mostMillis = clock.nowMillis() + 2L * settings.limits().stampAheadMaxMillis();
    return Stamp.millis(entry.stamp()) > mostMillis;
  }

  private Digest digest() {
    return antiEntropy.digest(
        window, clock.closedThrough(), clock.quietThrough(), divergence.stateHash());
  }
}

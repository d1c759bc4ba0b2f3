package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Kept;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Past;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Wish;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Brings replicas together that have settled different things: decides whose state counts and takes
 * it, so that nothing gets lost that counted anywhere.
 *
 * <p>A replica that is behind takes the state of one that is further; it knows that it is behind by
 * the history of the other, because the other once had all that is settled here, or because the
 * other's state contains its own. Of two that have grown apart, each having settled what the other
 * lacks, the one that can put all of that in again takes the state of the other; if both can, or
 * none, the one with fewer entries (of equally many, the one with the higher id). Whoever takes a
 * state puts its own unsettled entries in again, same ids; and if the two had grown apart, also
 * what it had settled and the other lacks: the calls, if all since the parting are {@linkplain
 * SettledApart kept}, else what its state has, as changes that come before everything unsettled.
 */
final class Merger {
  /** What settles while somebody is away takes at most one part in so many of the memory. */
  private static final int APART_SHARE = 8;

  private final ServiceInstance service;
  private final View view;
  private final Window window;
  private final Writes writes;
  private final ReplicaClock clock;
  private final AckWaits ackWaits;

  /** Who is known to have all that is settled here. */
  private final TreeSet<Long> shared = new TreeSet<>();

  private final Lineage lineage;

  /**
   * By which others know this replica: its own, and the one of the checkpoint it came back with.
   */
  private final TreeSet<Long> names = new TreeSet<>();

  /**
   * Through which epoch it had settled, or agreed to, something else than what it has now, at most:
   * another one may have settled that, and count this one among those whose state it contains.
   */
  private long apartThrough = -1;

  private final SettledApart settledApart;

  Merger(
      ReplicaSettings settings,
      ServiceInstance service,
      View view,
      Window window,
      Writes writes,
      ReplicaClock clock,
      AckWaits ackWaits) {
    this.settledApart =
        new SettledApart(
            window,
            view.others(),
            settings.limits().unsettledMaxBytes() / APART_SHARE,
            settings.limits().memory(),
            change -> service.hasAddends(change.writes()),
            clock.ownMillis());
    this.lineage = new Lineage(settings.limits().memory().ancestors());
    this.names.add(view.self());
    this.service = service;
    this.view = view;
    this.window = window;
    this.writes = writes;
    this.clock = clock;
    this.ackWaits = ackWaits;
  }

  /** How this replica came to what it has settled. */
  Past past() {
    return new Past(window.history().prefixes(), lineage.ancestors());
  }

  /** Another replica has all that is settled here, and this one what is settled there. */
  void shares(long other, Prefix theirs) {
    shared.add(other);
    settledApart.shares(other);
    lineage.add(other, Math.min(theirs.throughEpoch(), window.settled().throughEpoch()));
  }

  /** Settles what all others have agreed to, or one of them has settled as well. */
  void settle(long throughEpoch, List<Long> agreed) {
    long countBefore = window.settled().count();
    var settling = new TreeMap<>(window.epochs().headMap(throughEpoch, true));
    window.settle(throughEpoch);
    if (window.settled().throughEpoch() < throughEpoch) {
      return; // It cannot execute all of that.
    }
    settledApart.settled(settling, clock.ownMillis());
    ackWaits.settled(settling.values());
    addSelf(throughEpoch);
    agreed.forEach(other -> lineage.add(other, throughEpoch));
    if (window.settled().count() != countBefore) {
      shared.clear();
      shared.addAll(agreed);
    }
  }

  /** Others know it by its name through this epoch, unless they mean what it had before. */
  private void addSelf(long throughEpoch) {
    if (throughEpoch > apartThrough) {
      lineage.add(view.self(), throughEpoch);
    }
  }

  /** Whether this replica has fewer entries than another one with which it has grown apart. */
  boolean hasFewer(long other, Prefix theirs) {
    long ours = window.settled().count();
    return ours != theirs.count() ? ours < theirs.count() : view.self() > other;
  }

  /**
   * Through which epoch others may mean something else by this replica's name; below the last one
   * that had entries if that makes no difference.
   */
  long apartThrough() {
    return apartThrough;
  }

  void viewChanged() {
    settledApart.viewChanged(view.others(), clock.ownMillis());
  }

  /** These have left for good, and given others what they had. */
  void ended(List<Long> members) {
    settledApart.ended(members);
  }

  /** Which settled entries go with the state. */
  Kept kept() {
    return settledApart.kept(clock.ownMillis());
  }

  /** Those entries, in order; for reading at once. */
  List<Entry> keptEntries() {
    return settledApart.entries();
  }

  /** Those after another one. */
  List<Entry> keptEntriesAfter(Wish.OfEntries after) {
    return settledApart.entriesAfter(after);
  }

  /** What to do about what another replica has settled. */
  enum Decision {
    /** The two come together without a state that travels. */
    NOTHING,
    /** The other replica is to take the state of this one. */
    GIVE,
    /** This one is behind, and takes the other's. */
    TAKE,
    /** The same; what is settled here may have what the other lacks. */
    TAKE_APART,
    /** This one takes the other's, to which the same entries have led. */
    TAKE_DIVERGED
  }

  /** Decides whose state counts. */
  Decision decide(long other, Prefix settled, Past past, Kept kept) {
    Prefix ours = window.settled();
    if (settled.throughEpoch() <= ours.throughEpoch()
        && window.history().leadsThrough(ours, settled)) {
      return Decision.NOTHING; // The other one is behind, or where this one is.
    }
    if (settled.throughEpoch() > ours.throughEpoch()
        && window.through(settled.throughEpoch()).equals(settled)) {
      // Its next digest says that it has settled; only what cannot be done here is to be taken.
      return window.cannot() == null ? Decision.NOTHING : Decision.TAKE;
    }
    boolean behind = isBeyond(settled, past) && contains(other, past);
    if (behind || History.leadsThrough(past.history(), settled, last())) {
      return Decision.TAKE;
    }
    boolean oursComesAgain = comesAgain(kept(), past);
    boolean yields =
        oursComesAgain == comesAgain(kept, past) ? hasFewer(other, settled) : oursComesAgain;
    return yields ? Decision.TAKE_APART : Decision.GIVE;
  }

  /** Whether of two all is kept by one of them, in calls, that had settled since they parted. */
  private boolean comesAgain(Kept kept, Past theirs) {
    return !kept.away().isEmpty()
        && (kept.sinceEpoch() < 0 || lineage.common(theirs.ancestors()) >= kept.sinceEpoch());
  }

  /**
   * Whether this replica cannot know if it is behind another one, or has grown apart from it: the
   * history of that one does not reach back to here, and that this one is an ancestor is not known.
   */
  boolean isUnsure(long other, Prefix settled, Past past) {
    return isBeyond(settled, past) && !contains(other, past);
  }

  private boolean isBeyond(Prefix settled, Past past) {
    return settled.throughEpoch() >= last().throughEpoch()
        && !window.history().reaches(past.history(), last());
  }

  private boolean contains(long other, Past past) {
    return shared.contains(other) || isAncestor(past);
  }

  /** What is settled, through the last epoch that had entries: who is alone settles more sooner. */
  private Prefix last() {
    Prefix ours = window.settled();
    return new Prefix(window.history().lastEpoch(), ours.count(), ours.hash());
  }

  /**
   * Whether a state contains this one, whose history does not reach back to it. What this replica
   * had settled or agreed to before it took another state proves nothing: that may lack it.
   */
  private boolean isAncestor(Past past) {
    long through = Math.max(window.history().lastEpoch(), apartThrough + 1);
    return Lineage.contains(past.ancestors(), names, through);
  }

  /**
   * Comes back with what it had: so had all who had settled as much.
   *
   * @param restored with the name by which others knew this replica when it had that
   */
  void comeBack(RestoredByTime restored) {
    Snapshot snapshot = restored.snapshot();
    names.add(restored.replica());
    apartThrough = restored.apartThrough();
    restore(snapshot);
    settledApart.comeBack(snapshot, clock.ownMillis());
    List<Prefix> history = snapshot.past().history();
    long last = history.isEmpty() ? 0 : history.getLast().throughEpoch();
    snapshot.past().ancestors().stream()
        .filter(each -> each.throughEpoch() >= last)
        .forEach(each -> shared.add(each.replica()));
  }

  /** Begins with a state. */
  private void restore(Snapshot snapshot) {
    window.restart(snapshot.state(), snapshot.settled(), snapshot.past().history());
    lineage.addAll(snapshot.past().ancestors());
  }

  /**
   * Takes a state in place of the own one.
   *
   * @param how by which decision
   * @param effects those who wait for what is given up hear of it
   * @return entries that are given up: whether they were executed elsewhere is forgotten there, and
   *     nothing is to run twice
   */
  List<RequestId> install(long other, Snapshot theirs, Decision how, List<Effect> effects) {
    Version ours = window.base();
    Prefix settledHere = window.settled();
    List<Entry> unsettledHere = window.entries();
    List<Entry> keptHere = how == Decision.TAKE_DIVERGED ? List.of() : List.copyOf(keptEntries());
    boolean comesAgain = comesAgain(kept(), theirs.past());
    long common = lineage.common(theirs.past().ancestors());
    apartThrough = Math.max(apartThrough, clock.closedThrough()); // It may have agreed to that.
    // What others of this side have brought is not theirs: no reason to merge into it once more.
    BroughtKeys brought = new BroughtKeys(theirs.unsettled(), window, theirs.state().clients());
    become(other, theirs, brought.others());
    long firstStamp = Math.max(clock.firstUnsettledStamp(), brought.stampAfter());
    EntriesAgain again = new EntriesAgain(service, window, theirs.settled(), firstStamp);
    boolean hasCalls = again.isBlind() || (comesAgain && again.hasCalls(keptHere, common));
    // Whoever had all that was settled here may have gone over to a state that has not.
    boolean lacks = how == Decision.TAKE_APART || keptHere.stream().anyMatch(again::isNew);
    if (lacks) {
      again.addSettled(keptHere, hasCalls);
    }
    again.addSettled(unsettledHere.stream().filter(brought::have).toList(), hasCalls);
    again.insert(brought);
    if (lacks && !hasCalls && settledHere.count() > 0) {
      again.addLacking(ours, settledHere);
    }
    again.addUnsettled(unsettledHere.stream().filter(each -> !brought.have(each)).toList());
    window.insert(again.entries());
    again.entries().forEach(writes::spread);
    ackWaits.gaveUp(again.givenUp(), effects);
    return again.givenUp();
  }

  private void become(long other, Snapshot theirs, List<Entry> unsettled) {
    long settledThrough = theirs.settled().throughEpoch();
    restore(theirs);
    addSelf(settledThrough);
    lineage.add(other, settledThrough);
    shared.clear();
    shared.add(other);
    ackWaits.replaced();
    window.insert(unsettled);
    settledApart.replace(theirs, clock.ownMillis());
    settledApart.shares(view.self());
    settledApart.shares(other);
  }
}

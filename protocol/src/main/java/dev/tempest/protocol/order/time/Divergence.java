package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Mix;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.CollectionHash;
import dev.tempest.state.versioned.StateHashes;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.CollectionSummary;
import dev.tempest.wire.Message.Digest;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.StateRequest;
import dev.tempest.wire.Message.StateSummary;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds out that the same settled updates have led to other states, which a service does that is
 * not deterministic, and takes the state of the replica with the lowest id.
 *
 * <p>Digests carry a hash of the settled state. Where it differs although all else is equal, the
 * replica with the lowest id says what each of its collections hashes to. Whoever has another hash
 * of one reports that collection by name, and takes the state as a whole. A service that goes on
 * differing is reported and repaired again, at most once per {@link #PAUSE_MAX_MILLIS} in the end.
 *
 * <p>Collections with values that wait to be merged, for a function or class that is lacking here,
 * are not compared until it is there. What the hash costs is in proportion to what settled.
 */
final class Divergence {
  /** From one repair to the next, at first; twice as long each time. */
  static final int PAUSE_MIN_MILLIS = 1_000;

  static final int PAUSE_MAX_MILLIS = 16_000;

  /** As long without a difference, and the next one is repaired at once again. */
  private static final int CALM_MILLIS = 60_000;

  /** How soon to ask about a difference again. */
  private static final int ASK_AGAIN_MILLIS = 200;

  /** How soon to say again what is in the state, to anybody. */
  private static final int SAY_AGAIN_MILLIS = 1_000;

  private final ReplicaSettings settings;
  private final View view;
  private final Window window;
  private final ReplicaClock clock;
  private StateHashes hashes;
  private long speakAgainNanos;
  private long repairAgainNanos;
  private long calmAtNanos;
  private int pauseMillis = PAUSE_MIN_MILLIS;
  private boolean awaits;
  private long awaited;
  private long found;

  Divergence(
      ReplicaSettings settings,
      ServiceInstance service,
      View view,
      Window window,
      ReplicaClock clock) {
    this.settings = settings;
    this.view = view;
    this.window = window;
    this.clock = clock;
    this.hashes = service.hashes();
    this.speakAgainNanos = clock.nowNanos();
    this.repairAgainNanos = clock.nowNanos();
    this.calmAtNanos = clock.nowNanos();
  }

  /** How often this replica had another state than one with a lower id. */
  long found() {
    return found;
  }

  /** The hash of the settled state. */
  long stateHash() {
    hashes.advance(window.base());
    return hashes.total();
  }

  /**
   * Takes the hash to what is settled by now: now and then, so that it is never far when another
   * replica comes.
   */
  void follow() {
    hashes.advance(window.base());
  }

  /** The hashes of the settled state. */
  StateHashes hashes() {
    hashes.advance(window.base());
    return hashes;
  }

  /** The collections are others now, with the same in them. */
  void upgrade() {
    Version settled = window.base();
    window.upgrade();
    hashes.upgrade(settled, window.base());
  }

  /** A state has taken the place of the own one. */
  void installed(StateHashes itsHashes) {
    hashes = itsHashes;
    awaits = false; // If it is yet another one, that is found out again.
  }

  /**
   * The hash to tell people who compare replicas, of all that is executed. Whoever has found that
   * its state differs, and has not taken theirs yet, is not to be taken for one that agrees.
   */
  long told(Prefix all) {
    boolean differs = awaits && lowest() != settings.self();
    return differs ? Mix.mix(all.hash() + stateHash()) : all.hash();
  }

  /** Whether it waits for the state of another replica. */
  boolean awaits(long other) {
    return awaits && other == awaited;
  }

  /**
   * Whether a replica that has settled the same has another state, and it is time to ask the one
   * with the lowest id what is in its own; if that is this one, it says so.
   */
  boolean isToBeCleared(Digest digest, List<Effect> effects) {
    if (digest.stateHash() == stateHash() && digest.replica() == lowest()) {
      awaits = false;
    }
    if (digest.stateHash() == stateHash() || clock.nowNanos() < speakAgainNanos) {
      return false;
    }
    if (lowest() != settings.self()) {
      speakAgainNanos = in(ASK_AGAIN_MILLIS);
      return true;
    }
    speakAgainNanos = in(SAY_AGAIN_MILLIS);
    view.send(digest.replica(), summary(), effects);
    return false;
  }

  /** The replica whose state counts. */
  long lowest() {
    return view.all().iterator().next();
  }

  /** Takes what the collections of another replica hash to. */
  void compare(StateSummary theirs, List<Effect> effects) {
    long other = theirs.replica();
    if (other > settings.self() || !theirs.settled().equals(window.settled())) {
      return;
    }
    List<String> collections = differing(theirs.collections());
    if (collections.isEmpty()) {
      // Only where it cannot be told: no need to hear of it all the time.
      speakAgainNanos = in(PAUSE_MAX_MILLIS);
    } else if (clock.nowNanos() >= repairAgainNanos) {
      found++;
      pauseMillis =
          clock.nowNanos() >= calmAtNanos
              ? PAUSE_MIN_MILLIS
              : Math.min(2 * pauseMillis, PAUSE_MAX_MILLIS);
      repairAgainNanos = in(pauseMillis);
      calmAtNanos = in(pauseMillis + CALM_MILLIS);
      awaits = true;
      awaited = other;
      view.report(collections, other, effects);
      view.send(other, new StateRequest(settings.service(), settings.self()), effects);
    }
  }

  /**
   * Whether this is the state that was asked for, and nothing that settled here gets lost by it.
   */
  boolean takes(long other, Snapshot theirs) {
    if (!awaits(other) || !contains(theirs, window.settled())) {
      return false;
    }
    awaits = false;
    return true;
  }

  /** Whether settled and unsettled entries of a state make up all that is settled here. */
  private boolean contains(Snapshot theirs, Prefix ours) {
    Prefix settled = theirs.settled();
    if (settled.throughEpoch() > ours.throughEpoch()) {
      return window.through(settled.throughEpoch()).equals(settled);
    }
    long count = settled.count();
    long hash = settled.hash();
    for (Entry entry : theirs.unsettled()) {
      if (window.epochOf(entry) <= ours.throughEpoch()) {
        count++;
        hash += Mix.hash(entry);
      }
    }
    return count == ours.count() && hash == ours.hash();
  }

  private StateSummary summary() {
    List<CollectionSummary> collections =
        hashes.collections().stream()
            .map(each -> new CollectionSummary(each.collection(), each.known(), each.hash()))
            .toList();
    return new StateSummary(settings.service(), settings.self(), window.settled(), collections);
  }

  private List<String> differing(List<CollectionSummary> theirs) {
    hashes.advance(window.base());
    Map<String, CollectionSummary> others = new TreeMap<>();
    theirs.forEach(each -> others.put(each.collection(), each));
    Map<String, CollectionHash> own = new TreeMap<>();
    hashes.collections().forEach(each -> own.put(each.collection(), each));
    Map<String, Boolean> differing = new TreeMap<>();
    own.forEach((collection, mine) -> {
      CollectionSummary other = others.get(collection);
      boolean differs = other == null || (other.known() && other.hash() != mine.hash());
      differing.put(collection, mine.known() && differs);
    });
    others.forEach((collection, other) -> differing.putIfAbsent(collection, other.known()));
    return differing.entrySet().stream()
        .filter(Map.Entry::getValue)
        .map(Map.Entry::getKey)
        .toList();
  }

  private long in(int millis) {
    return clock.nowNanos() + millis * ReplicaClock.NANOS_PER_MILLI;
  }
}

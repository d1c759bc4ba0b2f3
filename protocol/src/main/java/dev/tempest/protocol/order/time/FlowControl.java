package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.order.View;
import dev.tempest.wire.Entry;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.Ack;
import dev.tempest.wire.Message.AckRequest;
import dev.tempest.wire.Message.ClientIds;
import dev.tempest.wire.Message.Repair;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keeps a process that writes much from running ahead of the others: asks them now and then what
 * they have of its writes, sends again what they lack, and says when its writers should wait.
 *
 * <p>Guarantees that a replica that answers lacks no more than a bound, if writers wait while this
 * process {@linkplain #isAhead is ahead}. One that was away, or has just joined, comes closer all
 * the time until it is that close. One that says nothing new for a second is not waited for, until
 * it does. Does not ask for the sake of few writes: gossip brings what gets lost of those. Not
 * thread-safe.
 */
final class FlowControl {
  private static final long NEVER = Long.MAX_VALUE;

  /** What may be on its way to those who keep up: it has to fit the buffer of a socket. */
  private static final long ON_THE_WAY_MAX_BYTES = 128 << 10;

  /** The same as one part in so many of what they may lack. */
  private static final int ON_THE_WAY_SHARE = 8;

  /** What is sent again to one at once: if it is much, by a stream. */
  private static final int AGAIN_BYTES_MAX = 1 << 20;

  private static final int AGAIN_ENTRIES_MAX = 8_192;

  /** The same to one that is silent: it is away, or takes the state, which has all of it. */
  private static final int PROBE_ENTRIES_MAX = 16;

  /** Others are asked after so much of what may be on its way, at the latest. */
  private static final int ASKED_BYTES_SHARE = 4;

  /** One part in so many of what others may lack: then they are asked. */
  private static final int ASKED_SHARE = 16;

  /** Writers that wait go on once others lack so much less than they may: one part in so many. */
  private static final int ROOM_SHARE = 4;

  /** What was sent longer ago than that, and has not arrived, is lost. */
  private static final long LOST_NANOS = 20 * ReplicaClock.NANOS_PER_MILLI;

  private final ReplicaSettings settings;
  private final View view;
  private final Window window;
  private final Stability stability;
  private final Writes writes;
  private final ReplicaClock clock;
  private final AntiEntropy antiEntropy;
  private final int most;
  private final long aheadMaxBytes;
  private final long onTheWayMaxBytes;
  private final SortedMap<Long, Receiver> receivers = new TreeMap<>();

  /** By the last write of a message all bytes that were sent through it. */
  private final NavigableMap<Long, Long> bytesThrough = new TreeMap<>();

  private long sentBytes;
  private long askedBytes;
  private long askedThrough;

  /** What had been sent a while ago. */
  private long sentEarlier;

  private long sentLately;
  private long latelyNanos;
  private long unsettledFrom = 1;
  private boolean ahead;
  private long nextNanos = NEVER;

  FlowControl(
      ReplicaSettings settings,
      View view,
      Window window,
      Stability stability,
      Writes writes,
      ReplicaClock clock,
      AntiEntropy antiEntropy) {
    this.settings = settings;
    this.view = view;
    this.window = window;
    this.stability = stability;
    this.writes = writes;
    this.clock = clock;
    this.antiEntropy = antiEntropy;
    this.most = settings.limits().aheadMax();
    this.aheadMaxBytes = settings.limits().aheadMaxBytes();
    this.onTheWayMaxBytes = Math.min(ON_THE_WAY_MAX_BYTES, aheadMaxBytes / ON_THE_WAY_SHARE);
    addReceivers();
  }

  /** Whether writers should wait: others lack more than they may. */
  boolean isAhead() {
    return ahead;
  }

  /** When something is due; {@link Long#MAX_VALUE} if never. */
  long nextTickNanos() {
    return writes.hasUnsent() && hasRoom() ? clock.nowNanos() : nextNanos;
  }

  /** Looks whether writers should wait. */
  void look() {
    boolean much = false;
    for (Receiver each : receivers.values()) {
      much |= each.lacksMuch(writes.lastSequence(), ahead ? most / ROOM_SHARE : 0);
      much |= each.isWaitedFor() && isAheadInBytes(each);
    }
    ahead = much;
  }

  private boolean isAheadInBytes(Receiver receiver) {
    return receiver.isInStep(most)
        && onTheWayBytes(receiver) + writes.unsentBytes() > aheadMaxBytes;
  }

  /** Sends what has not been sent, as far as those who keep up have taken what was sent before. */
  void send(List<Effect> effects) {
    for (int i = 0; i < Writes.MESSAGES_MAX && writes.hasUnsent() && hasRoom(); i++) {
      Repair repair = writes.next();
      for (Entry entry : repair.entries()) {
        sentBytes += Writes.sizeBytes(entry);
      }
      bytesThrough.put(writes.sentThrough(), sentBytes);
      effects.add(new Effect.Spread(repair));
    }
    if (writes.sentThrough() - askedThrough > most / ASKED_SHARE
        || (sentBytes - askedBytes > onTheWayMaxBytes / ASKED_BYTES_SHARE
            && writes.sentThrough() > askedThrough)) {
      askAll(effects);
    }
    if (clock.nowNanos() >= nextNanos) {
      sendAgain(effects);
    }
    remember();
  }

  /** Another replica says what it has. */
  void take(Ack ack, List<Effect> effects) {
    Receiver receiver = receivers.get(ack.replica());
    if (receiver == null || ack.ids().client() != writes.client() || writes.sentThrough() == 0) {
      return;
    }
    IntervalSet sent = IntervalSet.of(1, writes.sentThrough());
    IntervalSet has = sent.without(sent.without(ack.ids().sequences()));
    if (receiver.has(has, writes.lastSequence(), most, clock.nowNanos())) {
      var arrived = bytesThrough.floorEntry(receiver.through());
      if (arrived != null) {
        receiver.arrived(arrived.getValue());
      }
      if (receiver.hasCaughtUpWith()) {
        sendAgain(ack.replica(), receiver, effects);
      }
      plan();
    }
  }

  /** Who has come is asked, unless everything has settled: then it gets the state of that. */
  void viewChanged(List<Effect> effects) {
    receivers.keySet().retainAll(view.others());
    addReceivers();
    askAll(effects);
  }

  private void addReceivers() {
    long through = window.size() == 0 ? writes.sentThrough() : 0;
    for (long other : view.others()) {
      receivers.computeIfAbsent(other, come -> new Receiver(through, sentBytes, clock.nowNanos()));
    }
  }

  private boolean hasRoom() {
    for (Receiver each : receivers.values()) {
      if (each.isInStep(most) && onTheWayBytes(each) > onTheWayMaxBytes) {
        return false;
      }
    }
    return true;
  }

  private long onTheWayBytes(Receiver receiver) {
    return receiver.through() >= writes.sentThrough() ? 0 : sentBytes - receiver.arrivedBytes();
  }

  private void askAll(List<Effect> effects) {
    long from = writes.sentThrough();
    for (Receiver each : receivers.values()) {
      if (each.through() >= askedThrough) {
        each.askedAnew(clock.nowNanos());
      }
      from = Math.min(from, each.through());
    }
    askedThrough = writes.sentThrough();
    askedBytes = sentBytes;
    forget();
    if (from < askedThrough) {
      effects.add(new Effect.Spread(question(from)));
    }
    plan();
  }

  private AckRequest question(long after) {
    IntervalSet sequences = IntervalSet.of(after + 1, writes.sentThrough());
    return new AckRequest(
        settings.service(), settings.self(), new ClientIds(writes.client(), sequences));
  }

  /** To those from whom nothing was heard since they were asked. */
  private void sendAgain(List<Effect> effects) {
    receivers.forEach((other, receiver) -> {
      if (receiver.through() < askedThrough && clock.nowNanos() >= receiver.againNanos()) {
        countSettled(other, receiver);
        receiver.losePatience(clock.nowNanos());
        sendAgain(other, receiver, effects);
        if (receiver.through() < writes.sentThrough()) {
          view.send(other, question(receiver.through()), effects);
        }
      }
    });
    plan();
  }

  /** Sends the first of what another one lacks although it was sent a while ago. */
  private void sendAgain(long other, Receiver receiver, List<Effect> effects) {
    List<Entry> entries = new ArrayList<>();
    int atMost = receiver.isSilent(clock.nowNanos()) ? PROBE_ENTRIES_MAX : AGAIN_ENTRIES_MAX;
    long bytes = 0;
    long through = 0;
    IntervalSet lacks = receiver.lacksOf(sentEarlier);
    for (int at = 0; at < lacks.intervals(); at++) {
      long sequence = Math.max(lacks.first(at), firstUnsettled());
      while (sequence <= lacks.last(at) && entries.size() < atMost && bytes < AGAIN_BYTES_MAX) {
        Entry entry = window.find(new RequestId(writes.client(), sequence));
        if (entry != null) {
          entries.add(entry);
          bytes += Writes.sizeBytes(entry);
        }
        through = sequence++;
      }
    }
    receiver.sentAgain(entries.isEmpty() ? 0 : through, clock.nowNanos());
    if (!entries.isEmpty()) {
      view.send(other, antiEntropy.repair(entries, entries.size(), Integer.MAX_VALUE), effects);
      view.send(other, question(receiver.through()), effects);
    }
  }

  /**
   * Who agrees on what has settled here has it, even if it has forgotten who wrote it and does not
   * say so.
   */
  private void countSettled(long other, Receiver receiver) {
    long through = firstUnsettled() - 1;
    if (through > receiver.through()
        && stability.isAgreedBy(List.of(other), window.settled().throughEpoch())) {
      receiver.has(IntervalSet.of(1, through), writes.lastSequence(), most, clock.nowNanos());
    }
  }

  /** Who lacks what has settled here takes the state. */
  private long firstUnsettled() {
    while (unsettledFrom <= writes.sentThrough()
        && window.find(new RequestId(writes.client(), unsettledFrom)) == null) {
      unsettledFrom++;
    }
    return unsettledFrom;
  }

  private void plan() {
    nextNanos = NEVER;
    for (Receiver each : receivers.values()) {
      if (each.through() < askedThrough) {
        nextNanos = Math.min(nextNanos, each.againNanos());
      }
    }
  }

  private void remember() {
    if (clock.nowNanos() - latelyNanos >= LOST_NANOS) {
      latelyNanos = clock.nowNanos();
      sentEarlier = sentLately;
      sentLately = writes.sentThrough();
    }
  }

  /** How many bytes were sent is asked of those only who keep up. */
  private void forget() {
    long through = writes.sentThrough();
    for (Receiver each : receivers.values()) {
      if (each.isInStep(most)) {
        through = Math.min(through, each.through());
      }
    }
    Long first = bytesThrough.floorKey(through);
    if (first != null) {
      bytesThrough.headMap(first, false).clear();
    }
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    for (Receiver each : receivers.values()) {
      Invariant.check(each.through() <= writes.sentThrough(), "nobody has what was not sent");
      Invariant.check(
          each.through() >= askedThrough || nextNanos <= each.againNanos(),
          "nobody is forgotten who was asked");
    }
  }
}

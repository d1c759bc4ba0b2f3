package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.membership.MemberSettings;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.MemberMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Processes that look for each other, on a network that loses, doubles and delays; some know where
 * others may be, some can announce themselves, all have clocks of their own.
 */
final class MemberWorld {
  static final long MILLI = 1_000_000;

  /** A member that can be reached must not be missing for longer: a few attempts, most lost. */
  private static final long MISSING_MAX_MILLIS = 20_000;

  /** What it takes to found a cluster at the latest, and half as long again; nobody waited for. */
  private static final long PROBING_MAX_MILLIS = 1_500;

  /** Who has been a member for so long, or can be reached again, is noticed by whoever probes. */
  private static final long NOTICED_MILLIS = 300;

  private static final long LOOK_EVERY_MILLIS = 250;
  private static final long CLUSTER = NameHash.of("simulation");

  private final Randomness random;
  private final Agenda agenda = new Agenda();
  private final Trace trace = Trace.of(agenda, 400, null);
  private final Network network;
  private final boolean multicast;
  private final MemberSettings settings;
  private final Hearing hearing;
  private final List<MemberProcess> processes = new ArrayList<>();
  private final ByteWriter writer = new ByteWriter(1 << 16);
  private final long[][] reachableSince;
  private final int known;
  private long mendedNanos = Long.MIN_VALUE / 2;

  /** Stands between the network and the machines; canaries tamper with what they hear. */
  @FunctionalInterface
  interface Hearing {
    @Nullable MemberMessage hear(MemberMessage message);
  }

  /** What the processes know beforehand. */
  enum Discovery {
    MULTICAST,
    SEEDS,
    ALL_ADDRESSES
  }

  MemberWorld(
      long seed,
      int size,
      Discovery discovery,
      Network.Conditions conditions,
      MemberSettings usual,
      Hearing hearing) {
    this.random = new Randomness(Randomness.mix(seed));
    this.multicast = discovery == Discovery.MULTICAST;
    this.hearing = hearing;
    this.known =
        switch (discovery) {
          case MULTICAST -> 0;
          case SEEDS -> Math.min(2, size);
          case ALL_ADDRESSES -> size;
        };
    this.settings = withCandidates(usual, known);
    this.network = new Network(agenda, random.split(), size, conditions, this::frameArrived);
    this.reachableSince = new long[size][size];
    for (int i = 0; i < size; i++) {
      SimClock clock =
          new SimClock(random.between(-3_600_000, 3_600_000) * MILLI, random.between(-200, 200));
      processes.add(new MemberProcess(this, i, clock));
    }
    agenda.at(0, this::look);
  }

  private static MemberSettings withCandidates(MemberSettings usual, int known) {
    return new MemberSettings(
        IntStream.range(0, known).mapToObj(i -> "n" + i).toList(),
        usual.probeMillis(),
        usual.foundAfterMillis(),
        usual.heartbeatMillis(),
        usual.reachOutMillis(),
        usual.silentAfterMillis(),
        usual.expelAfterMillis(),
        usual.messageMaxBytes());
  }

  static @Nullable Address address(String text) {
    return text.matches("n\\d{1,4}") ? new SimAddress(Integer.parseInt(text.substring(1))) : null;
  }

  List<MemberProcess> processes() {
    return processes;
  }

  MemberProcess process(int index) {
    return processes.get(index);
  }

  MemberSettings settings() {
    return settings;
  }

  Randomness random() {
    return random;
  }

  Network network() {
    return network;
  }

  long nowNanos() {
    return agenda.nowNanos();
  }

  void at(long nanos, Runnable action) {
    agenda.at(nanos, action);
  }

  void runMillis(long millis) {
    agenda.runUntil(agenda.nowNanos() + millis * MILLI);
  }

  /** What a machine is given of a message; null for nothing. */
  @Nullable MemberMessage heard(MemberMessage message) {
    return hearing.hear(message);
  }

  void trace(String node, String text) {
    trace.add(node, text);
  }

  List<String> traceTail() {
    return trace.tail();
  }

  void announce(MemberProcess from, MemberMessage message) {
    if (multicast) {
      processes.forEach(each -> send(from, each.index, message));
    }
  }

  void send(MemberProcess from, int to, MemberMessage message) {
    writer.reset();
    FrameCodec.begin(writer, CLUSTER, from.id());
    FrameCodec.add(writer, message);
    FrameCodec.end(writer);
    if (writer.size() > settings.messageMaxBytes()) {
      throw found(Violation.Kind.WRONG_OUTCOME, "a frame of " + writer.size() + " bytes");
    }
    network.datagram(from.index, to, Arrays.copyOf(writer.array(), writer.size()));
  }

  private void frameArrived(int from, int to, byte[] bytes, boolean damaged, boolean stream) {
    for (Message message : Frames.read(bytes, damaged)) {
      if (message instanceof MemberMessage member) {
        process(to).arrived(from, member);
      }
    }
  }

  /** Judges what must hold at any time. */
  private void look() {
    for (MemberProcess one : processes) {
      long runningMillis = (nowNanos() - one.awaitsNobodySinceNanos()) / MILLI;
      if (one.runs() && !one.isActive() && runningMillis > PROBING_MAX_MILLIS) {
        throw found(Violation.Kind.STUCK, one.name + " still probes after " + runningMillis);
      }
      for (MemberProcess other : processes) {
        lookForMissing(one, other);
      }
    }
    agenda.after(LOOK_EVERY_MILLIS * MILLI, this::look);
  }

  /** Nobody founds a cluster beside a member that it can reach, whether that one answers or not. */
  void becameMember(MemberProcess one) {
    long longAgoNanos = nowNanos() - NOTICED_MILLIS * MILLI;
    boolean expels = nowNanos() - one.startedNanos() >= settings.expelAfterMillis() * MILLI;
    if (!one.founded()
        || expels
        || mendedNanos > longAgoNanos
        || one.wentOnNanos() > longAgoNanos) {
      return;
    }
    for (MemberProcess other : processes.subList(0, known)) {
      if (other != one
          && other.isActive()
          && other.activeSinceNanos() < longAgoNanos
          && network.connects(one.index, other.index)
          && network.connects(other.index, one.index)) {
        throw found(Violation.Kind.LOST, one.name + " founds a cluster beside " + other.name);
      }
    }
  }

  /** Some can reach others again. */
  void mended() {
    mendedNanos = nowNanos();
  }

  private void lookForMissing(MemberProcess one, MemberProcess other) {
    boolean reaches = one.runs() && other.runs() && network.connects(one.index, other.index);
    boolean missing = reaches && other.isActive() && !other.view().contains(one.id());
    if (!missing || other.runsSinceNanos() > reachableSince[one.index][other.index]) {
      reachableSince[one.index][other.index] = nowNanos();
    }
    long millis = (nowNanos() - reachableSince[one.index][other.index]) / MILLI;
    if (millis > MISSING_MAX_MILLIS) {
      throw found(
          Violation.Kind.LOST,
          one.name + " reaches " + other.name + " and is not in its view for " + millis + " ms");
    }
  }

  /** All faults are over; the processes that run are to find each other and nobody else. */
  void heal() {
    trace("", "heals");
    network.mendAll();
    mended();
    network.conditions(network.conditions().healed());
    for (MemberProcess process : processes) {
      process.wake();
      if (process.index == 0 || random.chance(60)) { // Some stay away for good.
        process.start();
      }
    }
    long silentMillis = settings.silentAfterMillis();
    demand(
        MISSING_MAX_MILLIS,
        "all see all others",
        () -> running().allMatch(each -> each.view().containsAll(ids())));
    demand(
        silentMillis + 10_000,
        "nobody else counts as alive",
        () -> running().allMatch(each -> ids().containsAll(each.alive())));
    demand(3_000, "all know who hosts what", this::allKnowHosts); // From whom was silent, too.
    demand(
        settings.expelAfterMillis() + 10_000L,
        "nobody else is in a view",
        () -> running().allMatch(each -> each.view().equals(ids())));
  }

  private boolean allKnowHosts() {
    SortedMap<Long, SortedMap<Long, Address>> hosts = new TreeMap<>();
    running()
        .forEach(each ->
            each.services()
                .forEach(service ->
                    hosts
                        .computeIfAbsent(service, none -> new TreeMap<>())
                        .put(each.id(), new SimAddress(each.index))));
    return running().allMatch(each -> each.hosts().equals(hosts));
  }

  private Stream<MemberProcess> running() {
    return processes.stream().filter(MemberProcess::isMember);
  }

  /** The ids of all that count on being in views. */
  SortedSet<Long> ids() {
    SortedSet<Long> ids = new TreeSet<>();
    running().forEach(each -> ids.add(each.id()));
    return ids;
  }

  /** Whether all that run have the view of all that run. */
  boolean isOne() {
    SortedSet<Long> ids = ids();
    return running().allMatch(each -> each.isActive() && each.view().equals(ids));
  }

  /** Runs until it is so; returns the milliseconds that it took. */
  long demand(long withinMillis, String what, BooleanSupplier reached) {
    long fromNanos = nowNanos();
    while (!reached.getAsBoolean()) {
      if (nowNanos() - fromNanos > withinMillis * MILLI) {
        throw found(Violation.Kind.STUCK, "not within " + withinMillis + " ms: " + what);
      }
      runMillis(1);
    }
    return (nowNanos() - fromNanos) / MILLI;
  }

  private Violation.Found found(Violation.Kind kind, String sentence) {
    StringBuilder text = new StringBuilder(sentence);
    for (MemberProcess each : processes.subList(0, Math.min(8, processes.size()))) {
      text.append("; ").append(each.name).append(each.isMember() ? " " : " down ");
      text.append(names(each.view()));
    }
    return new Violation.Found(new Violation(kind, text.toString()));
  }

  /** The names of those that have these ids now; of earlier ones the id. */
  List<String> names(Collection<Long> ids) {
    Map<Long, String> names = new TreeMap<>();
    processes.forEach(each -> names.put(each.id(), each.name));
    return ids.stream().map(id -> names.getOrDefault(id, Long.toHexString(id))).toList();
  }
}

package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.membership.MemberSettings;
import dev.tempest.protocol.membership.Members;
import dev.tempest.protocol.membership.Occupant;
import dev.tempest.protocol.membership.Self;
import dev.tempest.protocol.order.time.ReplicaSettings;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.MemberMessage;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How one life of a replica's process comes to know who else hosts its service: by the machine that
 * users run.
 */
final class Membership {
  private static final long KNOCK_NANOS = 1_000_000;

  private final Cluster cluster;
  private final ReplicaProcess process;
  private final Members members;

  /** Who lives at addresses where it has knocked, before it has taken that in. */
  private final Map<Integer, Occupant> answers = new TreeMap<>();

  private SortedSet<Long> inView = Collections.emptySortedSet();

  Membership(
      Cluster cluster, MemberSettings settings, long self, ReplicaProcess process, long nowNanos) {
    this.cluster = cluster;
    this.process = process;
    this.members =
        new Members(
            settings,
            new Self(self, address(process.index), process.name),
            Membership::address,
            cluster.random().nextLong(),
            nowNanos);
    SortedSet<Long> hosted = new TreeSet<>(List.of(cluster.service()));
    if (!members.step(new Members.Event.Hosts(nowNanos, hosted)).isEmpty()) {
      throw new IllegalStateException("it knows nobody to tell it");
    }
  }

  /** Settings that fit the times of a world; every process may be at each address. */
  static MemberSettings settings(Randomness random, int replicas) {
    int heartbeatMillis = random.between(20, 200);
    int silentAfterMillis = heartbeatMillis * random.between(3, 10);
    return new MemberSettings(
        IntStream.range(0, replicas).mapToObj(Membership::address).toList(),
        random.between(5, 40),
        random.between(50, 250),
        heartbeatMillis,
        random.between(50, 500),
        silentAfterMillis,
        silentAfterMillis + random.between(0, 4_000),
        1_400);
  }

  /** The settings of a replica that begins among these. */
  static ReplicaSettings among(SortedMap<Long, Address> hosts, ReplicaSettings settings) {
    return new ReplicaSettings(
        settings.service(),
        settings.self(),
        hosts,
        settings.timing(),
        settings.limits(),
        settings.policy());
  }

  private static String address(int index) {
    return "r" + index;
  }

  private static @Nullable Address address(String text) {
    return text.matches("r\\d{1,4}") ? new SimAddress(Integer.parseInt(text.substring(1))) : null;
  }

  long nextTickNanos() {
    return answers.isEmpty() ? members.nextTickNanos() : 0;
  }

  void tick(long clockNanos, SimProcess.Outbox outbox) {
    Map<Integer, Occupant> taken = new TreeMap<>(answers);
    answers.clear();
    taken.forEach(
        (at, who) -> step(new Members.Event.Knocked(clockNanos, new SimAddress(at), who), outbox));
    if (members.nextTickNanos() <= clockNanos) {
      step(new Members.Event.Tick(clockNanos), outbox);
    }
  }

  void take(int from, MemberMessage message, long clockNanos, SimProcess.Outbox outbox) {
    step(new Members.Event.Received(clockNanos, new SimAddress(from), message), outbox);
  }

  /** Whether a message comes from a member; if not, whoever sent it is asked who it is. */
  boolean admits(
      int from, Message.ReplicaMessage message, long clockNanos, SimProcess.Outbox outbox) {
    var speaker = members.view().get(message.replica());
    boolean admitted = speaker != null && speaker.address().equals(new SimAddress(from));
    if (!admitted) {
      Address asked = speaker == null ? new SimAddress(from) : speaker.address();
      step(new Members.Event.Stranger(clockNanos, asked), outbox);
    }
    return admitted;
  }

  /**
   * Who is alive and hosts the service; for whoever has no state yet, all that may have it. Null as
   * long as that is not known.
   */
  @Nullable SortedMap<Long, Address> hosts(boolean hasState) {
    if (members.phase() != Members.Phase.ACTIVE || !members.knowsHosts()) {
      return null;
    }
    if (!hasState) {
      return members.mayHost(cluster.service());
    }
    return members.hosts().getOrDefault(cluster.service(), new TreeMap<>());
  }

  /** Those who have said goodbye since this was last asked. */
  List<Long> ended() {
    List<Long> ended = inView.stream().filter(members::hasLeft).toList();
    inView = new TreeSet<>(members.view().keySet());
    return ended;
  }

  /** Whether it is a member. */
  boolean isMember() {
    return members.phase() == Members.Phase.ACTIVE;
  }

  /** Its system accepts a connection at once; who is stopped says nothing before it goes on. */
  private void knock(int at) {
    ReplicaProcess other = cluster.replicas().get(at);
    Incarnation life = process.incarnation();
    cluster.at(
        cluster.nowNanos() + KNOCK_NANOS,
        () -> {
          if (process.isUp() && process.incarnation().equals(life)) {
            boolean connected =
                cluster.network().connects(process.index, at)
                    && cluster.network().connects(at, process.index);
            answers.put(at, connected ? occupant(other) : Occupant.UNREACHABLE);
            process.offer(new SimProcess.Input.TimerFired());
          }
        });
  }

  private static Occupant occupant(ReplicaProcess there) {
    if (there.isUp() && there.isBusy()) {
      return Occupant.SILENT;
    }
    return there.isUp() && there.isMember() ? Occupant.MEMBER : Occupant.NONE;
  }

  private void step(Members.Event event, SimProcess.Outbox outbox) {
    for (Members.Effect effect : members.step(event)) {
      switch (effect) {
        case Members.Effect.Send(SimAddress(int to), var message) -> outbox.add(to, message);
        case Members.Effect.Send send ->
            throw new IllegalStateException("an address of another world: " + send.to());
        case Members.Effect.Announce announce -> {} // This network carries no multicast.
        case Members.Effect.Knock(SimAddress(int at)) -> knock(at);
        case Members.Effect.Knock knock ->
            throw new IllegalStateException("an address of another world: " + knock.at());
      }
    }
    members.checkInvariants();
  }
}

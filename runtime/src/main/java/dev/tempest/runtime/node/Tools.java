package dev.tempest.runtime.node;

import dev.tempest.protocol.membership.Member;
import dev.tempest.runtime.transport.Counters;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.CollectionStatus;
import dev.tempest.wire.Message.DescribeRequest;
import dev.tempest.wire.Message.Description;
import dev.tempest.wire.Message.Dropped;
import dev.tempest.wire.Message.MemberStatus;
import dev.tempest.wire.Message.MethodDescription;
import dev.tempest.wire.Message.Part;
import dev.tempest.wire.Message.Status;
import dev.tempest.wire.Message.StatusRequest;
import dev.tempest.wire.Message.ToolMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What a process tells tools of itself. Owned by the event loop. */
final class Tools {
  /** With so many of each, and a few services, an answer fits into one datagram. */
  static final int MEMBERS_TOLD_MAX = 8;

  static final int COLLECTIONS_TOLD_MAX = 16;

  /** As many of each as the process itself is told. */
  private static final int MEMBERS_MAX = 64;

  private static final int COLLECTIONS_MAX = 256;
  private static final int NAME_CHARS_MAX = 32;

  /** Whoever asks more often is told the same again: to measure takes time. */
  private static final long SAME_NANOS = 50_000_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long self;
  private final String name;
  private final long startedMillis;
  private final MonotonicClock clock;
  private final Counters counters;
  private @Nullable Status latest;
  private long latestNanos;

  Tools(long self, String name, MonotonicClock clock, Counters counters) {
    this.self = self;
    this.name = name;
    this.startedMillis = clock.nowNanos() / NANOS_PER_MILLI;
    this.clock = clock;
    this.counters = counters;
  }

  /**
   * The answer; null if that is no question.
   *
   * @param members all members by id; none before this process is one
   * @param alive those that are not silent
   */
  @Nullable ToolMessage answer(
      ToolMessage question,
      Collection<Hosted> replicas,
      SortedMap<Long, Member> members,
      Set<Long> alive) {
    return switch (question) {
      case StatusRequest(long token) -> recent(token, replicas, members, alive);
      case DescribeRequest(long token, String service) -> describe(token, service, replicas);
      case Message.ContentsRequest request -> null; // See Readings.
      case Message.Contents contents -> null;
      case Status status -> null;
      case Description theirs -> {
        replicas.forEach(replica -> replica.described(theirs));
        yield null;
      }
    };
  }

  private Status recent(
      long token, Collection<Hosted> replicas, SortedMap<Long, Member> members, Set<Long> alive) {
    long nowNanos = clock.nowNanos();
    Status told = latest;
    if (told == null || nowNanos - latestNanos >= SAME_NANOS) {
      told = status(replicas, members, alive, MEMBERS_TOLD_MAX, COLLECTIONS_TOLD_MAX);
      latest = told;
      latestNanos = nowNanos;
    }
    return new Status(
        token,
        self,
        name,
        startedMillis,
        nowNanos / NANOS_PER_MILLI,
        told.services(),
        told.members(),
        told.collections(),
        told.dropped());
  }

  /** How the process is now, for itself; parameters as in {@link #answer}. */
  Status status(Collection<Hosted> replicas, SortedMap<Long, Member> members, Set<Long> alive) {
    return status(replicas, members, alive, MEMBERS_MAX, COLLECTIONS_MAX);
  }

  private Status status(
      Collection<Hosted> replicas,
      SortedMap<Long, Member> members,
      Set<Long> alive,
      int membersMax,
      int collectionsMax) {
    return new Status(
        0,
        self,
        name,
        startedMillis,
        clock.nowNanos() / NANOS_PER_MILLI,
        replicas.stream().map(Hosted::status).toList(),
        members(members, alive, membersMax),
        collections(replicas, collectionsMax),
        dropped());
  }

  /** This process first, then those that are silent. */
  private Part<MemberStatus> members(SortedMap<Long, Member> members, Set<Long> alive, int max) {
    List<MemberStatus> told =
        members.values().stream()
            .sorted(
                Comparator.<Member>comparingInt(
                        member -> member.id() == self ? 0 : alive.contains(member.id()) ? 2 : 1)
                    .thenComparing(Member::addressText))
            .limit(max)
            .map(member ->
                new MemberStatus(
                    member.addressText(),
                    shortened(member.name()),
                    member.id() != self && !alive.contains(member.id())))
            .toList();
    return new Part<>(told, members.size() - told.size());
  }

  private static String shortened(String name) {
    return name.length() <= NAME_CHARS_MAX ? name : name.substring(0, NAME_CHARS_MAX);
  }

  /** Those with most entries first. */
  private static Part<CollectionStatus> collections(Collection<Hosted> replicas, int max) {
    List<CollectionStatus> all = new ArrayList<>();
    for (Hosted replica : replicas) {
      replica
          .sizes()
          .forEach(size ->
              all.add(
                  new CollectionStatus(
                      replica.name(), size.collection(), size.entries(), size.sizeBytes())));
    }
    all.sort(
        Comparator.comparingLong(CollectionStatus::entries)
            .reversed()
            .thenComparing(CollectionStatus::service)
            .thenComparing(CollectionStatus::collection));
    int told = Math.min(all.size(), max);
    return new Part<>(List.copyOf(all.subList(0, told)), all.size() - told);
  }

  private List<Dropped> dropped() {
    return counters.snapshot().entrySet().stream()
        .filter(counted -> counted.getKey().isDrop())
        .map(counted -> new Dropped(counted.getKey().word(), counted.getValue()))
        .toList();
  }

  private static Description describe(long token, String service, Collection<Hosted> replicas) {
    List<MethodDescription> methods =
        replicas.stream()
            .filter(replica -> replica.name().equals(service))
            .flatMap(replica -> methods(replica.description).stream())
            .toList();
    return new Description(
        token,
        service,
        methods,
        replicas.stream().filter(Hosted::isService).map(Hosted::name).sorted().toList());
  }

  private static List<MethodDescription> methods(ServiceInterface description) {
    return description.methods().stream()
        .map(method ->
            new MethodDescription(
                method.number(),
                method.name(),
                method.isUpdate(),
                method.parameterTypeNames(),
                method.resultTypeName()))
        .toList();
  }
}

package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.membership.Member;
import dev.tempest.protocol.membership.Members;
import dev.tempest.runtime.LogLines;
import dev.tempest.runtime.frontend.LocalChannel;
import dev.tempest.runtime.heap.Heap;
import dev.tempest.runtime.transport.Counters;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EventLoop;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Frame;
import dev.tempest.wire.Message;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The machines of one process: who is there, and the replicas that it hosts. Takes each message to
 * the one that it is for, tells the replicas who else hosts them, and does what all want done.
 *
 * <p>Owned by the event loop.
 */
final class HostMachines implements EventLoop.Machines, Backlog.Executor {
  private static final System.Logger LOGGER = LogLines.logger(HostMachines.class);
  private static final int NOT_TOLD = -1;
  private static final long NEVER = Long.MAX_VALUE;

  /** Members and tools say no more at once; one frame is not to keep all others waiting. */
  private static final int ANSWERED_AT_ONCE_MAX = 16;

  private static final int MADE_WAITING_MAX = 64;

  /** As an update's number of acks: this replica answers, whatever its rank. */
  private static final int EVERY_RANK = 1_000;

  private final long self;
  private final Endpoint endpoint;
  private final MonotonicClock clock;
  final Members members;
  private final Outreach outreach;
  private final ListedMembers listed;
  private final Tools tools;
  private final ReplicaSender sender;
  private final MessageMaker maker;
  private final Performer performer;
  final Inquiries inquiries;
  private final Attendance attendance = new Attendance();
  final Backlog backlog;
  private final Map<Long, Hosted> replicas = new LinkedHashMap<>();
  private final Arrival arrival = new Arrival(System::nanoTime);
  private final CompletableFuture<Boolean> left = new CompletableFuture<>();
  private final CompletableFuture<Optional<String>> end = new CompletableFuture<>();
  private volatile SortedMap<Long, Member> view = Collections.emptySortedMap();
  private SortedSet<Long> alive = Collections.emptySortedSet();
  private SortedMap<Long, SortedMap<Long, Address>> hosts = Collections.emptySortedMap();
  private boolean hostsFollowed;
  private int withState;
  private final HeardApart heardApart;
  private final OtherClusters otherClusters;
  private int toldLoad = NOT_TOLD;
  private boolean toldFull;
  private int announced;
  private final HandOver handOver = new HandOver();
  private final LoopEnd loopEnd = new LoopEnd();

  /**
   * Nothing is hosted yet.
   *
   * @param discovery where members announce themselves; null for nowhere
   * @param listed where the members are that are listed
   * @param tools answers what tools ask
   * @param sender sends what replicas say
   */
  HostMachines(
      long self,
      Endpoint endpoint,
      MonotonicClock clock,
      Members members,
      @Nullable InetSocketAddress discovery,
      Set<String> listed,
      Tools tools,
      ReplicaSender sender) {
    this.self = self;
    this.endpoint = endpoint;
    this.clock = clock;
    this.members = members;
    this.outreach = new Outreach(endpoint, members, discovery);
    this.listed = new ListedMembers(self, listed);
    this.tools = tools;
    this.sender = sender;
    this.heardApart = new HeardApart(self, endpoint);
    this.otherClusters = new OtherClusters(endpoint.otherVersions(), members, arrival.active());
    this.maker = new MessageMaker(endpoint, "state", MADE_WAITING_MAX);
    this.performer = new Performer(clock, sender, maker, () -> this.listed.absent(view));
    this.inquiries = new Inquiries(endpoint, tools);
    this.backlog = new Backlog(clock, endpoint.counters(), this);
  }

  /** {@link Host#arrival}. Any thread may ask. */
  Arrival arrival() {
    return arrival;
  }

  /** Done once the others have heard that the process leaves, or the loop has ended. */
  CompletableFuture<Boolean> left() {
    return left;
  }

  /** {@link Host#end}. */
  CompletableFuture<Optional<String>> end() {
    return end;
  }

  /** Says who comes and goes. Any thread may add a listener. */
  Attendance attendance() {
    return attendance;
  }

  /** All members as this one knows them. Any thread may ask. */
  SortedMap<Long, Member> view() {
    return view;
  }

  /** Hosts another replica. */
  void host(Hosted hosted) {
    replicas.put(hosted.id, hosted);
    toldLoad = NOT_TOLD;
    announceHosting();
  }

  /** Hosts a replica no more, if it does. */
  void withdraw(long service) {
    Hosted withdrawn = replicas.remove(service);
    if (withdrawn != null) {
      withdrawn.end();
      announceHosting();
    }
  }

  /** All that is hosted. */
  List<Hosted> replicas() {
    return List.copyOf(replicas.values());
  }

  /** How the process and its replicas are. */
  Message.Status status() {
    return tools.status(replicas.values(), view, alive);
  }

  /**
   * Takes no more updates, and says goodbye once other members have all that was executed here, or
   * none answers in time.
   */
  void handOver() {
    long nowNanos = clock.nowNanos();
    handOver.begin(nowNanos);
    for (Hosted replica : replicas.values()) {
      performer.perform(replica, replica.step(new Event.Leaving(nowNanos)));
    }
  }

  /** Other processes may be at these addresses, and the members that are listed at those. */
  void candidates(List<String> addresses, Set<String> members) {
    hostsFollowed &= !listed.move(members);
    outreach.perform(this.members.step(new Members.Event.Candidates(clock.nowNanos(), addresses)));
  }

  @Override
  public void received(PeerAddress from, Frame frame) {
    long nowNanos = clock.nowNanos();
    int answered = 0;
    for (Message message : frame.messages()) {
      switch (message) {
        case Message.Reply reply -> answered(from, reply, nowNanos);
        case Message.SeenReply reply -> answered(from, reply, nowNanos);
        case Message.BeaconAnswer answer -> endpoint.counters().count(Counters.Kind.UNEXPECTED);
        case Message.Read read -> backlog.add(from, read, nowNanos);
        case Message.SeenRead read -> backlog.add(from, read, nowNanos);
        case Message.Update update -> backlog.add(from, update, nowNanos);
        case Message.Beacon beacon -> execute(from, beacon, nowNanos);
        case Message.ReplicaMessage replica -> step(from, replica, nowNanos);
        case Message.MemberMessage member -> {
          if (answered++ < ANSWERED_AT_ONCE_MAX) {
            outreach.perform(members.step(new Members.Event.Received(nowNanos, from, member)));
          }
        }
        case Message.AddressMessage late -> endpoint.counters().count(Counters.Kind.UNEXPECTED);
        case Message.ToolMessage question -> {
          if (answered++ < ANSWERED_AT_ONCE_MAX) {
            inquiries.answer(from, question, replicas.values(), view, alive, nowNanos);
          } else {
            endpoint.counters().count(Counters.Kind.UNEXPECTED);
          }
        }
      }
    }
  }

  /**
   * The view service says who is primary, and that one answers what a replica without a copy is
   * asked. A leader refuses what a local front-end asks for. All else this node answers itself.
   */
  private void answered(PeerAddress from, Message.RequestMessage reply, long nowNanos) {
    replicas.values().stream()
        .filter(each -> each.isByPrimary() || (each.isOfListed() && each.id == reply.service()))
        .forEach(
            each -> performer.perform(each, each.step(new Event.Received(nowNanos, from, reply))));
  }

  /** A front-end in this process asks. The other replicas execute its updates, too. */
  void ask(LocalChannel from, List<Message> requests) {
    long nowNanos = clock.nowNanos();
    for (Message request : requests) {
      switch (request) {
        case Message.Read read -> backlog.add(from, read, nowNanos);
        case Message.SeenRead read -> backlog.add(from, read, nowNanos);
        case Message.Update update -> backlog.add(from, update.withAcks(EVERY_RANK), nowNanos);
        case Message.Beacon beacon -> {} // It knows who is here.
        default -> throw new IllegalArgumentException("no front-end asks " + request);
      }
    }
  }

  @Override
  public void execute() {
    long nowNanos = clock.nowNanos();
    otherClusters.look(nowNanos);
    outreach.look(nowNanos);
    if (members.nextTickNanos() <= nowNanos) {
      outreach.perform(members.step(new Members.Event.Tick(nowNanos)));
    }
    follow(nowNanos);
    tellLoad(nowNanos);
    backlog.execute();
  }

  @Override
  public long tick() {
    long nowNanos = clock.nowNanos(); // Not before what was executed: what that wants is due now.
    maker.send();
    inquiries.send(nowNanos);
    boolean isMember = members.phase() != Members.Phase.PROBING;
    int running = 0;
    int arrived = 0;
    for (Hosted replica : replicas.values()) {
      performer.perform(replica, replica.stored(replica.view().get(self), nowNanos));
      performer.perform(replica, replica.tick(nowNanos));
      arrived += replica.arrival().active().isDone() ? 1 : 0;
      running += replica.isStopped() ? 0 : 1;
    }
    if (running != announced) { // One has stopped.
      announceHosting();
      endWithTheLast();
      leaveWithTheLast(running, nowNanos);
    }
    hostsFollowed &= arrived == withState; // Whoever has come to its state waits for nobody.
    withState = arrived;
    if (isMember && arrived == replicas.size() && !arrival.active().isDone()) {
      arrival.active().complete(running == replicas.size());
    }
    leave(nowNanos);
    return backlog.isEmpty() ? restNanos() : 0;
  }

  private long restNanos() {
    long nextNanos = members.nextTickNanos();
    for (Hosted replica : replicas.values()) {
      nextNanos = replica.rest(nextNanos);
    }
    // From now on, not from when the turn began: a long turn is followed by no longer rest.
    return nextNanos == NEVER ? nextNanos : Math.max(0, nextNanos - clock.nowNanos());
  }

  @Override
  public void ended(@Nullable Throwable bug) {
    try {
      outreach.close();
      maker.close();
      inquiries.close();
      for (Hosted replica : replicas.values()) {
        replica.end();
      }
    } finally { // If the memory is full, all that takes some may fail, and somebody waits for this.
      if (bug != null) {
        replicas.clear(); // They fill it.
      }
      arrival.active().complete(false);
      left.complete(true);
      end.complete(loopEnd.reason(bug));
    }
  }

  /** A process is there for its services, and for its collections if it has no services. */
  private void endWithTheLast() {
    List<Hosted> services = replicas().stream().filter(Hosted::isService).toList();
    List<Hosted> purpose = services.isEmpty() ? replicas() : services;
    if (purpose.stream().allMatch(Hosted::isStopped)) {
      String names = purpose.stream().map(Hosted::name).collect(Collectors.joining(", "));
      end.complete(Optional.of("all of its services have stopped: " + names));
    }
  }

  /** Others count on whoever is there: a process that serves nothing any more says goodbye. */
  private void leaveWithTheLast(int running, long nowNanos) {
    if (running == 0) {
      LOGGER.log(
          Level.ERROR,
          "Everything in this process has stopped, so it leaves its cluster, which goes on without"
              + " it. Do what was said when each stopped, and restart the process");
      outreach.perform(members.step(new Members.Event.Leave(nowNanos)));
    }
  }

  private void leave(long nowNanos) {
    if (members.phase() == Members.Phase.LEFT) {
      left.complete(true);
    }
    if (handOver.hasBegun()) {
      List<String> kept =
          replicas.values().stream().filter(this::mayBeOnlyHere).map(Hosted::name).toList();
      if (handOver.isOver(kept, nowNanos)) {
        outreach.perform(members.step(new Members.Event.Leave(nowNanos)));
      }
    }
  }

  /** Who has just joined may host it too: then there is somebody to hand it over to. */
  private boolean mayBeOnlyHere(Hosted replica) {
    boolean othersUnknown = members.phase() == Members.Phase.ACTIVE && !members.knowsHosts();
    return !replica.isHandedOver() || (othersUnknown && !replica.isStopped());
  }

  // Who is there.

  /** What stopped is hosted no more: nobody is to wait for it. */
  private void announceHosting() {
    TreeSet<Long> running = new TreeSet<>();
    replicas.values().stream()
        .filter(each -> !each.isStopped())
        .forEach(each -> running.add(each.id));
    announced = running.size();
    outreach.perform(members.step(new Members.Event.Hosts(clock.nowNanos(), running)));
  }

  /** Replicas begin once it is known who else hosts them. */
  @SuppressWarnings("ReferenceEquality") // They are the same maps until they change.
  private void follow(long nowNanos) {
    if (members.phase() != Members.Phase.ACTIVE) {
      return;
    }
    List<Long> ended = List.of();
    if (members.view() != view || members.alive() != alive) {
      ended = view.keySet().stream().filter(members::hasLeft).toList();
      view = members.view();
      heardApart.members(view.values());
      alive = members.alive();
      attendance.look(view, alive);
    }
    if (members.hosts() != hosts || !hostsFollowed) {
      followHosts(nowNanos);
    }
    for (Hosted replica : ended.isEmpty() ? List.<Hosted>of() : replicas()) {
      performer.perform(replica, replica.step(new Event.Ended(nowNanos, ended)));
    }
  }

  private void followHosts(long nowNanos) {
    hosts = members.hosts();
    hostsFollowed = members.knowsHosts();
    heardApart.hear(replicas.values(), hosts);
    for (Hosted replica : replicas.values()) {
      if (hostsFollowed || !replica.view().isEmpty()) {
        performer.perform(replica, replica.follow(self, othersOf(replica), nowNanos));
      }
    }
  }

  /** Those alive that host the same; for whoever has no state yet, all that may have it. */
  private SortedMap<Long, Address> othersOf(Hosted replica) {
    SortedMap<Long, Address> alive = hosts.getOrDefault(replica.id, new TreeMap<>());
    if (replica.isOfListed()) {
      return listed.among(alive, view);
    }
    return replica.arrival().active().isDone() ? alive : members.mayHost(replica.id);
  }

  // What replicas do.

  private void tellLoad(long nowNanos) {
    int load = backlog.load();
    boolean isFull = !Heap.hindrance().isEmpty();
    if (load != toldLoad || isFull != toldFull) {
      toldLoad = load;
      toldFull = isFull;
      Event loaded = new Event.Loaded(nowNanos, load, isFull);
      replicas.values().forEach(replica -> performer.perform(replica, replica.step(loaded)));
    }
  }

  private void step(PeerAddress from, Message.ReplicaMessage message, long nowNanos) {
    Hosted replica = replicas.get(message.service());
    if (replica == null) { // It may be on its way to host it, or no more.
      endpoint.counters().count(Counters.Kind.UNEXPECTED);
    } else {
      Member speaker = members.view().get(message.replica());
      if (speaker != null && speaker.address().equals(from)) {
        if (message instanceof Message.OfLog) {
          members.heard(message.replica()); // It may be busy, and say only that.
        }
        performer.perform(replica, replica.step(new Event.Received(nowNanos, from, message)));
      } else {
        endpoint.counters().count(Counters.Kind.UNEXPECTED);
        Address asked = speaker == null ? from : speaker.address();
        outreach.perform(members.step(new Members.Event.Stranger(nowNanos, asked)));
      }
    }
  }

  @Override
  public String execute(Address from, Message.RequestMessage request, long nowNanos) {
    Hosted replica = replicas.get(request.service());
    if (replica == null || isStopped(replica, from)) {
      refuse(from, request);
      return "";
    }
    take(from, request, replica, new Event.Received(nowNanos, from, request));
    return replica.name();
  }

  /** A front-end of this process would wait for it alone. */
  private static boolean isStopped(Hosted replica, Address from) {
    return from instanceof LocalChannel && replica.isStopped();
  }

  private void take(Address from, Message.RequestMessage request, Hosted replica, Event event) {
    List<Effect> effects = replica.step(event);
    performer.perform(replica, effects);
    boolean asksOnlyHere = from instanceof LocalChannel;
    if (asksOnlyHere && request instanceof Message.Update update && !isRefused(update, effects)) {
      sender.spread(replica.view(), update.withAcks(1));
    }
  }

  /** What is refused here no other replica may execute: its front-end knows only this one. */
  private static boolean isRefused(Message.Update update, List<Effect> effects) {
    return effects.stream()
        .anyMatch(effect ->
            effect instanceof Effect.Send(var to, Message.Reply reply)
                && reply.id().equals(update.id())
                && reply.answer() instanceof Answer.Refused);
  }

  @Override
  public void refuse(Address from, Message.Update update, String why, long nowNanos) {
    Hosted replica = replicas.get(update.service());
    if (replica == null || isStopped(replica, from)) {
      refuse(from, update);
    } else {
      take(from, update, replica, new Event.Shed(nowNanos, from, update, why));
    }
  }

  /** A front-end has to hear that it asks for something that nobody has. */
  private void refuse(Address from, Message.RequestMessage message) {
    Message.Reply refusal = NotHosted.answer(message, self, replicas);
    if (refusal == null) {
      endpoint.counters().count(Counters.Kind.UNEXPECTED);
    } else {
      sender.send(from, refusal);
    }
  }
}

package dev.tempest.runtime.node;

import dev.tempest.config.PrivateAddresses;
import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.membership.Member;
import dev.tempest.protocol.membership.Members;
import dev.tempest.protocol.order.Replica;
import dev.tempest.runtime.transport.Counters;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EventLoop;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Frame;
import dev.tempest.wire.Message;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The machines of one node: who is there, and the replica of its collections. Takes each message to
 * the one that it is for, tells the replica who is there, and does what both want done.
 *
 * <p>Owned by the event loop.
 */
final class NodeMachines implements EventLoop.Machines {
  private static final System.Logger LOGGER = System.getLogger(NodeMachines.class.getName());

  /** Closing an epoch takes a second, agreeing on it some rounds of gossip. */
  private static final long HAND_OVER_NANOS = 2_500_000_000L;

  private static final long NEVER = Long.MAX_VALUE;

  private final Endpoint endpoint;
  private final MonotonicClock clock;
  private final Members members;
  private final ReplicatedState state;
  private final long self;
  private final @Nullable InetSocketAddress discovery;

  /** Makes the replica once there is a view. */
  private final Function<SortedMap<Long, Address>, Replica> replicas;

  private final CompletableFuture<Boolean> active = new CompletableFuture<>();
  private final CompletableFuture<Boolean> left = new CompletableFuture<>();
  private volatile SortedMap<Long, Member> view = new TreeMap<>();
  private long leaveAtNanos = NEVER;

  /** When to show the application what came of the latest steps. */
  private long publishAtNanos = NEVER;

  private volatile boolean founded;
  private boolean started;
  private boolean stopped;

  NodeMachines(
      Endpoint endpoint,
      MonotonicClock clock,
      Members members,
      ReplicatedState state,
      long self,
      @Nullable InetSocketAddress discovery,
      Function<SortedMap<Long, Address>, Replica> replicas) {
    this.endpoint = endpoint;
    this.clock = clock;
    this.members = members;
    this.state = state;
    this.self = self;
    this.discovery = discovery;
    this.replicas = replicas;
  }

  /** True once the node has state; false if it never will. Any thread may ask. */
  CompletableFuture<Boolean> active() {
    return active;
  }

  /** Done once the others have heard that the node leaves, or the loop has ended. */
  CompletableFuture<Boolean> left() {
    return left;
  }

  /** All members as this node knows them. Any thread may ask. */
  SortedMap<Long, Member> view() {
    return view;
  }

  /** Whether this node founded its cluster. Any thread may ask once it is {@link #active}. */
  boolean founded() {
    return founded;
  }

  /** Says goodbye once another member has what was written here, or none answers in time. */
  void handOver() {
    leaveAtNanos = clock.nowNanos() + HAND_OVER_NANOS;
  }

  /** Other processes may be at these addresses. */
  void candidates(List<String> addresses) {
    perform(members.step(new Members.Event.Candidates(clock.nowNanos(), addresses)));
  }

  @Override
  public void received(PeerAddress from, Frame frame) {
    if (!PrivateAddresses.contains(from.socket().getAddress())) {
      endpoint.counters().count(Counters.Kind.UNEXPECTED);
      return;
    }
    long nowNanos = clock.nowNanos();
    for (Message message : frame.messages()) {
      switch (message) {
        case Message.MemberMessage news -> {
          perform(members.step(new Members.Event.Received(nowNanos, from, news)));
          followView(nowNanos);
        }
        case Message.ReplicaMessage replica -> step(new Event.Received(nowNanos, from, replica));
        case Message.RequestMessage request -> endpoint.counters().count(Counters.Kind.UNEXPECTED);
        case Message.ToolMessage question -> endpoint.counters().count(Counters.Kind.UNEXPECTED);
      }
    }
  }

  @Override
  public long tick() {
    long nowNanos = clock.nowNanos();
    if (members.nextTickNanos() <= nowNanos) {
      perform(members.step(new Members.Event.Tick(nowNanos)));
      followView(nowNanos);
    }
    if (started && !stopped) {
      tickState(nowNanos);
    }
    if (members.phase() == Members.Phase.LEFT) {
      left.complete(true);
    }
    if (leaveAtNanos != NEVER && mayLeave(nowNanos)) {
      leaveAtNanos = NEVER;
      perform(members.step(new Members.Event.Leave(nowNanos)));
    }
    long nextNanos = members.nextTickNanos();
    if (!stopped) {
      nextNanos = state.rest(Math.min(nextNanos, publishAtNanos));
    }
    return nextNanos == NEVER ? nextNanos : Math.max(0, nextNanos - nowNanos);
  }

  @Override
  public void ended() {
    active.complete(false);
    left.complete(true);
    state.close();
  }

  private boolean mayLeave(long nowNanos) {
    return !started
        || stopped
        || nowNanos >= leaveAtNanos
        || members.alive().size() == 1
        || state.ask(Replica::isHandedOver, true);
  }

  @SuppressWarnings("ReferenceEquality") // It is the same map until it changes.
  private void followView(long nowNanos) {
    SortedMap<Long, Member> now = members.view();
    if (now == view || members.phase() != Members.Phase.ACTIVE) {
      return;
    }
    view = now;
    SortedMap<Long, Address> addresses = new TreeMap<>();
    now.forEach((id, member) -> addresses.put(id, member.address()));
    if (started) {
      step(new Event.ViewChanged(nowNanos, addresses));
    } else {
      started = true;
      founded = members.founded();
      state.start(ignored -> replicas.apply(addresses));
      publishAtNanos = nowNanos;
    }
  }

  private void tickState(long nowNanos) {
    if (state.dueNanos() <= nowNanos) {
      step(new Event.Tick(nowNanos));
    }
    if (publishAtNanos <= nowNanos) {
      publish();
    }
  }

  private void publish() {
    publishAtNanos = NEVER;
    try {
      publishAtNanos = state.publish();
    } catch (RuntimeException | StackOverflowError | AssertionError bug) {
      stop(bug);
    }
    if (!active.isDone() && state.ask(Replica::isActive, false)) {
      active.complete(true);
    }
  }

  private void step(Event event) {
    if (stopped) {
      return;
    }
    publishAtNanos = event.nowNanos();
    try {
      for (Effect effect : state.step(event)) {
        switch (effect) {
          case Effect.Send(Address to, Message message) -> endpoint.send((PeerAddress) to, message);
          case Effect.Spread(Message message) -> spread(message);
          case Effect.Reconciled reconciled -> {} // Listeners see it by Replica.reconciled().
          case Effect.Diverged(List<String> objects, Address other) ->
              LOGGER.log(
                  Level.WARNING,
                  "The same writes have led to other contents of {0} here than at {1}, whose state"
                      + " this node takes. Is a merge function another one there, or does it give"
                      + " other results for the same values?",
                  String.join(", ", objects),
                  other);
        }
      }
    } catch (RuntimeException | StackOverflowError | AssertionError bug) {
      stop(bug);
    }
  }

  /** One by one: whether a network carries multicast to each of them is not known. */
  private void spread(Message message) {
    for (long id : members.alive()) {
      Member member = view.get(id);
      if (member != null && id != self) {
        endpoint.send((PeerAddress) member.address(), message);
      }
    }
  }

  private void perform(List<Members.Effect> effects) {
    for (Members.Effect effect : effects) {
      switch (effect) {
        case Members.Effect.Send(Address to, var message) ->
            endpoint.send((PeerAddress) to, message);
        case Members.Effect.Announce(var message) -> {
          if (discovery != null) {
            endpoint.multicast(discovery, List.of(), message);
          }
        }
      }
    }
  }

  /** What a bug has left behind can no longer be trusted, nor given to others. */
  private void stop(Throwable bug) {
    stopped = true;
    active.complete(false);
    state.close();
    LOGGER.log(
        Level.ERROR,
        "The collections of this node stop taking writes because of a bug. Restart the process to"
            + " let it take their state from others, and report what follows",
        bug);
  }
}

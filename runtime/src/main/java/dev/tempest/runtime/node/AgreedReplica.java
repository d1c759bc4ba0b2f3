package dev.tempest.runtime.node;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.ReadsAlone;
import dev.tempest.protocol.order.Replica;
import dev.tempest.protocol.order.Stand;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Home.Certain;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The replica of the linearizable collections, between the loop and the threads of the application,
 * which let it act as well; what it wants sent then is left to the loop. Thread-safe.
 */
final class AgreedReplica implements Holder {
  /** Under which the linearizable collections of all nodes are replicated. */
  static final String NAME = "linearizable collections";

  private static final long NEVER = Long.MAX_VALUE;

  private final LongSupplier nowNanos;
  private final VersionedState state;
  private final ServiceInstance instance;
  private final Runnable resting;
  private final LoopRest rest;
  private final SharedReplica replica;
  private final PublishedVersion published;
  private final Declaring declaring;
  private final WaitingActions waiting;

  /** What can be read without asking anybody; it is shown before another member hears of more. */
  private volatile @Nullable ReadsAlone alone;

  /** What the replica threw in a thread of the application: for that the loop stops it. */
  private @Nullable Throwable bug;

  /** For the loop to perform. */
  private List<Effect> left = new ArrayList<>();

  /**
   * Without a replica.
   *
   * @param longest how long a thread waits for another one that uses it
   * @param resting is called before the loop rests
   * @param wakeup ends that
   */
  AgreedReplica(
      LongSupplier nowNanos,
      Duration longest,
      VersionedState state,
      Runnable resting,
      Runnable wakeup) {
    this.nowNanos = nowNanos;
    this.replica = new SharedReplica(longest);
    this.state = state;
    this.instance = ServiceInstance.ofState(state);
    this.resting = resting;
    this.rest = new LoopRest(nowNanos, wakeup);
    this.published =
        new PublishedVersion(
            state.emptyVersion(),
            "the node is closed, or its linearizable collections have stopped, and the log says"
                + " why: nobody says any more what counts");
    this.declaring = new Declaring(state, published, this::adopt);
    this.waiting = new WaitingActions(nowNanos, this::perform);
  }

  /** What this node has. */
  PublishedVersion published() {
    return published;
  }

  /** Those who wait for what it decides. */
  WaitingActions waiting() {
    return waiting;
  }

  /** The loop has something to do. */
  void wake() {
    rest.end();
  }

  boolean isLoop() {
    return replica.isLoop();
  }

  /** Whether the calling thread declares something, or executes what others wrote. */
  boolean isHeldByCaller() {
    return replica.isUsedByCaller();
  }

  /** Throws then. */
  void requireOutside() {
    replica.requireOutside();
  }

  /** Held by whoever uses it. */
  DeadlineLock using() {
    return replica.using();
  }

  /** Lets somebody declare collections. */
  <T> T declare(Function<VersionedState, T> declaration) {
    requireOutside();
    return declaring.declare(
        declaration,
        alone -> {
          replica.enter();
          try {
            return alone.get();
          } finally {
            replica.leave();
          }
        });
  }

  private void adopt() {
    Replica present = replica.orNull();
    if (present == null) {
      published.show(state.upgrade(published.version()));
    } else {
      act(new Event.Declared(nowNanos.getAsLong()));
      published.show(present.version());
    }
  }

  /** What the next action is executed on. */
  Stand stand() {
    replica.enter();
    try {
      published.requireOpen();
      requireWhole();
      return replica.require().stand();
    } finally {
      replica.leave();
    }
  }

  /** Throws unless it can be asked. */
  void requireJoined() {
    published.requireOpen();
    replica.enter();
    try {
      replica.require();
    } finally {
      replica.leave();
    }
  }

  /** Lets the replica act, in a thread of the application. */
  void perform(Event event) {
    replica.enter();
    try {
      act(event);
    } finally {
      replica.leave();
    }
    rest.wrote(true);
  }

  /** Steps the replica, unless a bug has left it between two states; the caller holds the lock. */
  private void act(Event event) {
    requireWhole();
    Replica present = replica.require();
    try {
      keep(present.step(event));
    } catch (Throwable thrown) {
      bug = thrown;
      rest.due(Long.MIN_VALUE);
      rest.end();
      throw thrown;
    }
  }

  private void requireWhole() {
    if (bug != null) {
      throw new IllegalStateException("a thread of the application has come upon a bug", bug);
    }
  }

  /** What the loop has to do goes with its next turn. Whoever is told something can see it. */
  private void keep(List<Effect> effects) {
    effects.stream().filter(effect -> !(effect instanceof Effect.Decided)).forEach(left::add);
    stepped(replica.require());
    for (Effect effect : effects) {
      if (effect instanceof Effect.Decided decided) {
        waiting.decided(decided); // Only now: who waits reads what is shown.
      }
    }
  }

  /**
   * What is known here of all that counts by now; null if others have to be asked. The clock is
   * read last: while it did not show the end, nothing counted that was not here.
   */
  @Nullable Certain certain() {
    published.requireOpen();
    ReadsAlone known = alone;
    return known != null && nowNanos.getAsLong() < known.untilNanos() ? known.certain() : null;
  }

  private void stepped(Replica present) {
    alone = present.readsAlone(); // Before anybody is told of what is shown.
    if (present.isActive()) {
      published.show(present.version());
    }
    published.stepped(present.isFull(), present.isAhead());
    rest.due(left.isEmpty() ? present.nextTickNanos() : Long.MIN_VALUE);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ServiceInstance instance() {
    return instance;
  }

  @Override
  public void start(Function<ServiceInstance, Replica> construct) {
    replica.start(instance, construct, present -> rest.due(present.nextTickNanos()));
  }

  @Override
  public List<Effect> step(Event event) {
    replica.enter();
    try {
      Replica present = replica.orNull();
      if (present == null) {
        return List.of();
      }
      requireWhole();
      List<Effect> effects = left;
      left = new ArrayList<>();
      effects.addAll(present.step(event));
      stepped(present);
      return effects;
    } finally {
      replica.leave();
    }
  }

  @Override
  public void decided(Effect.Decided decided) {
    waiting.decided(decided);
  }

  @Override
  public <T> T ask(Function<Replica, T> question, T absent) {
    return replica.ask(question, absent);
  }

  /** What this node has, which may lack what already counts. */
  @Override
  public Version shown() {
    return published.version();
  }

  @Override
  public long dueNanos() {
    return rest.dueNanos();
  }

  /** What the replica has come to is shown with every step. */
  @Override
  public long publish() {
    return NEVER;
  }

  @Override
  public long rest(long latestNanos) {
    resting.run();
    return rest.begin(latestNanos);
  }

  @Override
  public @Nullable String takeComplaint() {
    return state.takeComplaint();
  }

  /** From now on it can be neither read nor written to: nobody says any more what counts. */
  @Override
  public void close() {
    published.close();
    waiting.close();
  }
}

package dev.tempest.runtime.node;

import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Replica;
import dev.tempest.runtime.LogLines;
import dev.tempest.runtime.heap.Heap;
import dev.tempest.runtime.node.WaitingWrites.Wait;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import dev.tempest.state.versioned.Change;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The collections of a node: where its threads read and write, and where its event loop brings what
 * others wrote.
 *
 * <p>Reads take the published version and wait for nobody. One thread at a time writes, in an
 * action over the published version; what it wrote goes to the replica, which puts it after
 * everything it knows, and publishes. The loop holds the replica only for moments, and never waits
 * for a writer, whatever that does within its action.
 */
public final class ReplicatedState implements SharedHome, Holder {
  /** Under which the collections of all nodes are replicated. */
  public static final String NAME = "collections";

  static final String NESTED_FAILED = "a nested batch failed: this batch writes nothing";
  private static final System.Logger LOGGER = LogLines.logger(ReplicatedState.class);

  /** The largest change, and the largest value with it. */
  private static final int CHANGE_MAX_BYTES = 16 << 20;

  private static final long NEVER = Long.MAX_VALUE;

  private final MonotonicClock clock;
  private final Runnable refuseOthers;
  private final VersionedState state;
  private final ServiceInstance instance;
  final WaitingWrites waiting;
  private final ByteWriter writer = new ByteWriter(CHANGE_MAX_BYTES);

  /** Held by the thread that executes an action. */
  private final WriterLock writing = new WriterLock();

  /** Used by one thread; after it has {@link #writing} if it needs both. */
  private final SharedReplica replica;

  private final PublishedVersion published;
  private final WritersRoom room;
  private final Declaring declaring;
  private final PublishedTime time;
  private final LoopRest rest;
  private final PublishPace pace = new PublishPace();
  private final UsesByReaders uses = new UsesByReaders();

  /** What the thread does that holds {@link #writing}; null if that is not an action. */
  private @Nullable Acting acting;

  /**
   * An empty state.
   *
   * @param refuseOthers throws if the calling thread executes an action on linearizable collections
   * @param wakeup ends the rest of the loop
   */
  public ReplicatedState(
      MonotonicClock clock, NodeConfig config, Runnable refuseOthers, Runnable wakeup) {
    this.clock = clock;
    this.refuseOthers = refuseOthers;
    this.replica = new SharedReplica(config.waits().deadline());
    this.rest = new LoopRest(clock::nowNanos, wakeup);
    this.waiting = new WaitingWrites(config, clock, this::step);
    this.state = new VersionedState(this, CollectionTerms.ofEventual(config));
    this.instance = ServiceInstance.ofState(state);
    this.time = new PublishedTime(clock);
    this.published =
        new PublishedVersion(
            state.emptyVersion(),
            "the node is closed, or its collections have stopped, and the log says why: they can"
                + " be read, but not written to");
    this.room = new WritersRoom(published, replica, writing, config.waits().deadline());
    this.declaring = new Declaring(state, published, this::adopt);
  }

  /** What declares the collections; only within {@link #declare}. */
  public VersionedState state() {
    return state;
  }

  /** Held by whoever uses the replica. */
  DeadlineLock using() {
    return replica.using();
  }

  @Override
  public Version published() {
    return published.version();
  }

  @Override
  public long nowNanos() {
    return clock.nowNanos();
  }

  @Override
  public long nowMillis() {
    return time.nowMillis();
  }

  @Override
  public @Nullable VersionedAction action() {
    Acting own = acting();
    return own == null ? null : own.action;
  }

  private @Nullable Acting acting() {
    return writing.isHeldByCurrentThread() ? acting : null;
  }

  /**
   * If the calling thread executes an action, it fails: it uses what is not eventual. So does what
   * is executed for others.
   */
  void fail() {
    replica.requireOutside();
    Acting own = acting();
    if (own != null) {
      throw own.usesOthers();
    }
  }

  @Override
  public <T extends @Nullable Object> T write(Function<VersionedAction, T> writes) {
    Acting own = enter(room.come(), true);
    try {
      return writes.apply(own.action);
    } finally {
      leave();
    }
  }

  private Acting enter(long untilNanos, boolean mayWrite) {
    replica.requireOutside();
    if (!writing.isHeldByCurrentThread()) {
      refuseOthers.run();
      room.enter(untilNanos, mayWrite);
      return begin(mayWrite, untilNanos - System.nanoTime());
    }
    Acting own = Objects.requireNonNull(acting);
    if (own.onlyReads) {
      throw own.fail(new OtherWayException.NoRoom());
    }
    writing.lock();
    return own;
  }

  /** Begins an action in the thread that has just begun to write. */
  private Acting begin(boolean mayWrite, long leftNanos) {
    try {
      VersionedAction begun =
          state.begin(published(), nowMillis(), ThreadLocalRandom.current().nextLong());
      acting = new Acting(begun, !mayWrite, leftNanos);
      return acting;
    } catch (RuntimeException | Error failed) {
      writing.unlock();
      throw failed;
    }
  }

  private void leave() {
    Wait wait = null;
    try {
      Acting ended = acting;
      if (writing.getHoldCount() == 1 && ended != null) {
        acting = null;
        wait = commit(ended);
      }
    } finally {
      writing.unlock();
    }
    if (!uses.isEmpty()) {
      rest.end(); // They may have found this thread writing.
    }
    if (wait != null) {
      waiting.await(wait); // Holds nothing up but this thread.
    }
  }

  @Override
  public void later(Runnable use) {
    if (uses.add(use)) {
      rest.end();
    }
  }

  /** What readers used goes to the others, unless some thread writes at this moment. */
  private void writeUses() {
    if (!uses.isEmpty() && published.takesWrites() && writing.tryLock()) {
      begin(true, 0).ask(1); // No reader waits for more.
      uses.write(this::leave, published::takesWrites);
    }
  }

  /**
   * Executes a function in one action: all that it writes counts, or nothing if it throws.
   *
   * @param acksAsked how many nodes are to have it before this returns; 0 for what is configured
   */
  public <T> T batch(int acksAsked, Supplier<T> function) {
    enter(room.come(), true).ask(acksAsked);
    return batch(function);
  }

  private <T> T batch(Supplier<T> function) {
    boolean succeeded = false;
    try {
      T result = function.get();
      succeeded = true;
      return result;
    } finally {
      leave(succeeded);
    }
  }

  /**
   * As {@link #batch}, of a function that may use linearizable collections in place of these: what
   * has no room here does not concern it then. It may be called twice if it writes here.
   *
   * @throws OtherWayException.Linearizable if it does
   */
  <T> T batchOfEither(int acksAsked, Supplier<T> function) {
    if (writing.isHeldByCurrentThread()) {
      return batch(acksAsked, function);
    }
    long untilNanos = room.come();
    for (boolean mayWrite = room.isThere(); ; mayWrite = true) {
      Acting own = enter(untilNanos, mayWrite);
      own.ask(acksAsked);
      own.mayBeginOnOthers();
      try {
        return batch(function);
      } catch (OtherWayException.NoRoom waitsForIt) {
        // It waits for room now.
      }
    }
  }

  /** That it has to begin another way outlives whatever the function makes of it. */
  private void leave(boolean succeeded) {
    Acting own = Objects.requireNonNull(acting);
    boolean usedOther = own.doom() instanceof OtherWayException;
    if (!succeeded && !usedOther) {
      own.fail(new IllegalStateException(NESTED_FAILED));
    }
    if (succeeded || usedOther || writing.getHoldCount() > 1) {
      leave();
    } else {
      acting = null; // Nobody has seen it: what it wrote is gone with it.
      writing.unlock();
    }
  }

  /**
   * Declares a collection.
   *
   * @throws dev.tempest.OverloadedException if another thread has written for too long
   */
  public <T> T declare(Function<State, T> declaration) {
    replica.requireOutside();
    return declaring.declare(
        declaration,
        alone -> {
          // Not without end: a batch may wait for the thread that declares.
          room.enter(room.untilNanos(), false);
          try {
            replica.enter();
            try {
              return alone.get();
            } finally {
              replica.leave();
            }
          } finally {
            writing.unlock();
          }
        });
  }

  @Override
  public long awaitShown(Predicate<Version> holds, long timeoutNanos) throws InterruptedException {
    requireMayWait();
    return published.await(() -> holds.test(published()), timeoutNanos);
  }

  /**
   * Waits until something holds for the replica, and shows what it has come to by then; whether it
   * held within the timeout.
   */
  boolean await(Predicate<Replica> condition, long timeoutNanos) throws InterruptedException {
    requireMayWait();
    return published.awaitStep(
        leftNanos -> replica.holds(condition, this::publish, leftNanos), timeoutNanos);
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
    return replica.ask(present -> step(present, event), List.of());
  }

  @Override
  public Version shown() {
    return published();
  }

  @Override
  public long dueNanos() {
    return rest.dueNanos();
  }

  @Override
  public long rest(long latestNanos) {
    writeUses();
    return rest.begin(latestNanos);
  }

  @Override
  public @Nullable String takeComplaint() {
    return state.takeComplaint();
  }

  @Override
  public <T> T ask(Function<Replica, T> question, T absent) {
    return replica.ask(question, absent);
  }

  /**
   * Shows the application what the replica has come to. Entries that come late make it execute
   * again all that follows them: where that takes time, as after a partition, more are awaited
   * before it is done the next time.
   */
  @Override
  public long publish() {
    replica.enter();
    try {
      Replica present = replica.orNull();
      if (present == null || !present.isActive()) {
        return NEVER;
      }
      long startNanos = clock.nowNanos();
      if (startNanos < pace.nextNanos()) {
        return pace.nextNanos();
      }
      publish(present);
      pace.took(startNanos, clock.nowNanos());
      return NEVER;
    } finally {
      replica.leave();
    }
  }

  @Override
  public void acked(Effect.Acked acked) {
    waiting.acked(acked);
  }

  @Override
  public void diverged(Effect.Diverged diverged) {
    LOGGER.log(
        Level.WARNING,
        "The contents of {0} differ here and at {1} after the same writes; this node takes the"
            + " state of {1}. Check that both register the same merge functions, and that these"
            + " always give the same result for the same values",
        String.join(", ", diverged.collections()),
        diverged.other());
  }

  /** How many writes had come in late by what is shown. */
  long reconciled() {
    return published.reconciled();
  }

  /** From now on writes are refused; reads go on over what there is. */
  @Override
  public void close() {
    published.close();
    time.close();
    waiting.close();
  }

  private @Nullable Wait commit(Acting ended) {
    IllegalStateException doom = ended.doom();
    if (doom != null) {
      throw doom;
    }
    VersionedAction action = ended.action;
    Change change = action.change();
    if (change.isEmpty()) {
      return null;
    }
    int wanted = ended.acks() > 0 ? ended.acks() : waiting.acks(change);
    requireMayWait(wanted);
    Wait wait = null;
    writer.reset();
    state.writeChange(change, writer);
    Bytes bytes = writer.toBytes();
    Version after = action.commit();
    Heap.wrote(bytes.size());
    Heap.requireRoom(action.before(), after);
    replica.enter(ended.leftNanos);
    try {
      published.requireOpen(); // Nobody would hear of what is written after the goodbye.
      Replica present = replica.require();
      // What is to be sent goes with the next tick of the loop: these steps have no other effects.
      step(present, new Event.Written(clock.nowNanos(), bytes, action.before(), after));
      if (wanted > 1) {
        wait = waiting.begin(wanted);
        step(present, new Event.AwaitAcks(clock.nowNanos(), wait.ticket(), wanted));
      }
      published.show(present.stand().version()); // What others wrote, the loop shows.
    } finally {
      replica.leave();
    }
    rest.wrote(wait != null);
    return wait;
  }

  private void requireMayWait(int wanted) {
    if (wanted > 1 && replica.isLoop()) {
      throw new IllegalStateException(
          "nothing was written: a service method must not wait until other nodes have its write"
              + " into a collection. Write in a batch with acks 1, or in another thread");
    }
  }

  private List<Effect> step(Replica present, Event event) {
    List<Effect> effects = present.step(event);
    long dueNanos = present.nextTickNanos();
    rest.due(dueNanos);
    time.stepped(event.nowNanos(), present.nowMillis(), dueNanos);
    published.stepped(present.isFull(), present.isAhead());
    return effects;
  }

  private void adopt() {
    Replica present = replica.orNull();
    if (present == null) {
      published.show(state.upgrade(published()));
    } else {
      step(present, new Event.Declared(clock.nowNanos()));
      publish(present);
    }
  }

  private void publish(Replica present) {
    published.show(present.version(), present.reconciled());
  }

  /** Throws if others, or the loop, would wait for the calling thread meanwhile. */
  void requireMayWait() {
    replica.requireOutside();
    if (writing.isHeldByCurrentThread() || replica.isLoop()) {
      throw new IllegalStateException("batches and service methods must not wait for other nodes");
    }
  }
}

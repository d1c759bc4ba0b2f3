package dev.tempest.runtime.node;

import dev.tempest.OverloadedException;
import dev.tempest.UnknownOutcomeException;
import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Stand;
import dev.tempest.runtime.Stopwatch;
import dev.tempest.runtime.heap.Heap;
import dev.tempest.runtime.node.WaitingActions.Wait;
import dev.tempest.state.State;
import dev.tempest.state.versioned.Change;
import dev.tempest.state.versioned.Home.Certain;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import dev.tempest.values.TooLargeException;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.UserCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The linearizable collections of a node: a thread that writes executes here, and goes on once a
 * majority of the nodes has what it wrote; where what it saw has changed meanwhile, it executes
 * again. A thread that reads waits until this node has all that counted when it began, unless that
 * is certain of what it reads.
 *
 * <p>One thread at a time executes, for as long as its action takes, and waits for the others
 * without keeping anybody from executing.
 */
final class AgreedState implements SharedHome {
  private static final int CHANGE_MAX_BYTES = 16 << 20;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LongSupplier nowNanos;
  private final Duration deadline;
  private final VersionedState state;
  private final AgreedReplica replica;
  private final ByteWriter writer = new ByteWriter(CHANGE_MAX_BYTES);

  /** Held by the thread that executes an action. */
  private final WriterLock writing = new WriterLock();

  private final UsesByReaders uses = new UsesByReaders();
  private final Stopwatch acting = new Stopwatch();

  /** Fails the action on eventual collections that the calling thread executes. */
  private final Runnable refuseOthers;

  /** The action of the thread that holds {@link #writing}. */
  private @Nullable VersionedAction action;

  /** Why the action as a whole fails, whatever its function makes of it; null if it does not. */
  private @Nullable IllegalStateException doom;

  /**
   * An empty state.
   *
   * @param refuseOthers throws if the calling thread executes an action on eventual collections,
   *     which fails then, whatever becomes of the exception
   * @param wakeup ends the rest of the loop
   */
  AgreedState(LongSupplier nowNanos, NodeConfig config, Runnable refuseOthers, Runnable wakeup) {
    this.nowNanos = nowNanos;
    this.deadline = config.waits().deadline();
    this.refuseOthers = refuseOthers;
    this.state = new VersionedState(this, CollectionTerms.ofLinearizable(config));
    this.replica = new AgreedReplica(nowNanos, deadline, state, this::writeUses, wakeup);
  }

  /** Where the replica lives. */
  AgreedReplica replica() {
    return replica;
  }

  /** How long actions took until they counted. */
  Stopwatch acting() {
    return acting;
  }

  /** What declares the collections; only within {@link #declare}. */
  VersionedState state() {
    return state;
  }

  /**
   * Declares a collection. Waits for no action: the thread may execute one on eventual collections,
   * which those who execute here may wait for.
   */
  <T> T declare(Function<State, T> declaration) {
    return replica.declare(declaration::apply);
  }

  /** All that counted when this was called, and maybe more; what is here, to a declaration. */
  @Override
  public Version published() {
    if (replica.isHeldByCaller()) {
      return replica.published().version(); // Who waited would keep the loop from going on.
    }
    requireMayWait();
    Certain all = replica.certain();
    if (all != null && all.except().isEmpty()) {
      return all.version();
    }
    replica.requireJoined();
    Wait wait = replica.waiting().begin();
    perform(wait, new Event.Looks(nowNanos.getAsLong(), wait.ticket()));
    Effect.Decided decided = replica.waiting().await(wait, deadline.toNanos());
    if (decided.decision() != Effect.Decision.COUNTS) {
      replica.published().requireOpen();
      throw new OverloadedException(
          "nothing was read: "
              + (decided.why().isEmpty()
                  ? "no majority of the members answered within %d ms"
                      .formatted(deadline.toMillis())
                  : decided.why())
              + ". See the log, and status for who is missing");
    }
    return replica.published().version();
  }

  @Override
  public @Nullable Certain certain() {
    if (replica.isHeldByCaller()) {
      return null;
    }
    requireMayWait();
    return replica.certain();
  }

  @Override
  public long nowNanos() {
    return nowNanos.getAsLong();
  }

  @Override
  public long nowMillis() {
    return nowNanos.getAsLong() / NANOS_PER_MILLI;
  }

  @Override
  public @Nullable VersionedAction action() {
    if (writing.isHeldByCurrentThread()) {
      return action;
    }
    refuseOthers.run();
    return null;
  }

  /** Whether the calling thread executes an action. */
  boolean isActing() {
    return writing.isHeldByCurrentThread() && action != null;
  }

  /**
   * If the calling thread executes an action, it fails: it writes to what is eventual. Nothing is
   * written to, either, by what is executed for others.
   */
  void fail() {
    replica.requireOutside();
    if (isActing()) {
      doom =
          new IllegalStateException(
              "nothing was written: an eventual collection is written to within an action on"
                  + " linearizable ones. Write to it before or after that");
      throw doom;
    }
  }

  @Override
  public <T extends @Nullable Object> T write(Function<VersionedAction, T> writes) {
    VersionedAction current = action();
    return current != null ? writes.apply(current) : act(writes);
  }

  /** Executes a function in one action: all that it writes counts, or nothing if it throws. */
  <T> T batch(Supplier<T> function) {
    VersionedAction current = action();
    if (current == null) {
      return act(begun -> function.get());
    }
    boolean succeeded = false;
    try {
      T result = function.get();
      succeeded = true;
      return result;
    } finally {
      if (!succeeded && doom == null) {
        doom = new IllegalStateException(ReplicatedState.NESTED_FAILED);
      }
    }
  }

  /** What an execution came to, which may not count. */
  private record Attempt<T extends @Nullable Object>(
      Wait decision, @Nullable T result, @Nullable Throwable thrown) {}

  private <T extends @Nullable Object> T act(Function<VersionedAction, T> writes) {
    requireMayWait();
    Heap.look();
    long beganNanos = nowNanos.getAsLong();
    while (true) {
      awaitRoom(leftNanos(beganNanos));
      Attempt<T> attempt = execute(writes, beganNanos);
      Effect.Decided decided = replica.waiting().await(attempt.decision, leftNanos(beganNanos));
      switch (decided.decision()) {
        case COUNTS -> {
          acting.took(nowNanos.getAsLong() - beganNanos);
          return outcome(attempt);
        }
        case AGAIN -> requireTime(beganNanos, decided.why());
        case FAILED -> throw failure(decided.why());
        case UNKNOWN ->
            throw new UnknownOutcomeException(
                (decided.why().isEmpty()
                        ? "within %d ms no majority of the members has said that it has it"
                            .formatted(deadline.toMillis())
                        : decided.why())
                    + ": what was written may come to count. Read what is there before you write"
                    + " again");
      }
    }
  }

  private long leftNanos(long beganNanos) {
    return beganNanos + deadline.toNanos() - nowNanos.getAsLong();
  }

  private void awaitRoom(long longestNanos) {
    PublishedVersion published = replica.published();
    try {
      if (!published.takesWrites() && !published.awaitOpen(Duration.ofNanos(longestNanos))) {
        throw failure("");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new OverloadedException(
          "nothing was written: the thread was interrupted while too much waited for a majority of"
              + " the members");
    }
  }

  @SuppressWarnings("NullAway") // A result is null only where T is.
  private static <T extends @Nullable Object> T outcome(Attempt<T> attempt) {
    if (attempt.thrown != null) {
      throw AgreedState.<RuntimeException>asIs(attempt.thrown);
    }
    return attempt.result;
  }

  /** What a function throws is what its caller is thrown, checked or not. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> X asIs(Throwable thrown) throws X {
    throw (X) thrown;
  }

  private void requireTime(long beganNanos, String why) {
    replica.published().requireOpen();
    if (leftNanos(beganNanos) <= 0) {
      throw new OverloadedException(
          "nothing was written for %d ms: ".formatted(deadline.toMillis())
              + (why.isEmpty()
                  ? "others have changed what it read, each time before it counted. Touch less in"
                      + " one action, or try again later"
                  : why + ". Try again later"));
    }
  }

  private RuntimeException failure(String why) {
    replica.published().requireOpen();
    return why.isEmpty()
        ? new OverloadedException(
            "nothing was written: no leader was found within %d ms, or too much waits for a"
                    .formatted(deadline.toMillis())
                + " majority of the members. See the log, and status for who is missing")
        : new IllegalStateException(
            "nothing was written: the member that leads cannot apply it: %s. Check that all"
                    .formatted(why)
                + " members declare the collection alike");
  }

  /** What it throws depends on what it read, and counts if that does. */
  private <T extends @Nullable Object> Attempt<T> execute(
      Function<VersionedAction, T> writes, long beganNanos) {
    writing.lockWithin(leftNanos(beganNanos));
    try {
      Stand stand = replica.stand();
      VersionedAction begun =
          state.beginTraced(stand.version(), nowMillis(), ThreadLocalRandom.current().nextLong());
      action = begun;
      doom = null;
      T result = null;
      Throwable thrown = null;
      try {
        result = writes.apply(begun);
        if (doom != null) {
          throw doom;
        }
      } catch (Throwable failed) {
        UserCode.rethrowIfFatal(failed);
        thrown = failed;
      } finally {
        action = null;
      }
      if (leftNanos(beganNanos) <= 0) { // Nobody would hear in time whether it counts.
        begun.abort();
        throw tooSlow(thrown);
      }
      return new Attempt<>(offer(stand, begun, thrown == null), result, thrown);
    } finally {
      writing.unlock();
      if (!uses.isEmpty()) {
        replica.wake(); // They may have found this thread writing.
      }
    }
  }

  private RuntimeException tooSlow(@Nullable Throwable thrown) {
    var tooSlow =
        new OverloadedException(
            "nothing was written: the function has run, or waited for others that run here, for"
                + " longer than %d ms. Do less in one action".formatted(deadline.toMillis()));
    tooSlow.initCause(thrown);
    return tooSlow;
  }

  private Wait offer(Stand stand, VersionedAction ended, boolean succeeded) {
    Change change = ended.change();
    Bytes bytes = Bytes.EMPTY;
    writer.reset();
    if (succeeded && !change.isEmpty()) {
      state.writeChange(change, writer);
      bytes = writer.toBytes();
      writer.reset();
    }
    Version after = stand.version();
    if (bytes.size() > 0) {
      after = ended.commit();
      Heap.wrote(bytes.size());
      Heap.requireRoom(stand.version(), after);
    } else {
      ended.abort();
    }
    ended.footprint().write(writer);
    Wait wait = replica.waiting().begin();
    perform(
        wait,
        new Event.Acted(
            nowNanos.getAsLong(), wait.ticket(), stand, writer.toBytes(), bytes, after));
    return wait;
  }

  /** Nobody waits for what the replica has not heard of. */
  private void perform(Wait wait, Event event) {
    try {
      replica.perform(event);
    } catch (OverloadedException inUse) {
      replica.waiting().forget(wait);
      throw inUse;
    }
  }

  @Override
  public void later(Runnable use) {
    if (uses.add(use)) {
      replica.wake();
    }
  }

  @Override
  public long awaitShown(Predicate<Version> holds, long timeoutNanos) throws InterruptedException {
    requireMayWait();
    PublishedVersion published = replica.published();
    return published.await(() -> holds.test(published.version()), timeoutNanos);
  }

  /** What readers used the others are told, unless some thread writes at this moment. */
  private void writeUses() {
    if (!uses.isEmpty() && replica.published().takesWrites() && writing.tryLock()) {
      try {
        List<Runnable> taken = uses.take();
        Attempt<?> attempt =
            execute(
                begun -> {
                  taken.forEach(Runnable::run);
                  return true;
                },
                nowNanos.getAsLong());
        var unused = outcome(attempt);
        putBackIfRefused(taken, attempt.decision);
      } catch (TooLargeException | OverloadedException tooMuchAtOnce) {
        return; // Nobody hears of these, as of too many.
      } catch (IllegalStateException refused) {
        if (replica.published().takesWrites()) { // Else the node has closed meanwhile.
          throw refused;
        }
      } finally {
        writing.unlock();
      }
    }
  }

  private void putBackIfRefused(List<Runnable> taken, Wait decision) {
    var unused =
        decision
            .decided()
            .thenAccept(decided -> {
              if (decided.decision() == Effect.Decision.AGAIN) {
                taken.forEach(this::later);
              }
            });
  }

  /** Throws if the loop would wait for the calling thread meanwhile. */
  void requireMayWait() {
    replica.requireOutside();
    if (replica.isLoop()) {
      throw new IllegalStateException(
          "a service method must not wait for other nodes: use linearizable collections in other"
              + " threads");
    }
  }
}

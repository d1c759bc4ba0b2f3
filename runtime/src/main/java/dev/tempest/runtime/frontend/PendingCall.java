package dev.tempest.runtime.frontend;

import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call whose answer a caller waits for: by a blocked thread, or by code to run then. A call for
 * several things as one has a part for each, and ends when the last of them has.
 *
 * <p>It ends once, by whichever thread is the first to say how. Everything else belongs to the
 * thread that drives.
 */
final class PendingCall {
  private final Consumer<Ending> told;
  private final boolean blocked;
  private final @Nullable PendingCall whole;
  private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
  private final AtomicInteger partsLeft = new AtomicInteger();
  private List<PendingCall> parts = List.of(this);
  private long ticket;
  private @Nullable Consumer<Seen> chain;

  private PendingCall(Consumer<Ending> told, boolean blocked, @Nullable PendingCall whole) {
    this.told = told;
    this.blocked = blocked;
    this.whole = whole;
  }

  /** A call that a thread waits for. */
  static PendingCall blocked(Thread thread) {
    return new PendingCall(ending -> unpark(thread), true, null);
  }

  private static void unpark(Thread thread) {
    if (!thread.equals(Thread.currentThread())) { // Else it drives the sockets itself.
      LockSupport.unpark(thread);
    }
  }

  /** A call that code depends on, run by {@code executor}. */
  static PendingCall callback(Executor executor, Consumer<Ending> then) {
    return new PendingCall(ending -> run(executor, () -> then.accept(ending)), false, null);
  }

  private static void run(Executor executor, Runnable code) {
    try {
      executor.execute(code);
    } catch (RejectedExecutionException shutDown) {
      code.run(); // Whoever depends on it would wait for ever.
    }
  }

  /** The same for so many things, at least one. */
  PendingCall ofParts(int count) {
    List<PendingCall> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(new PendingCall(told, blocked, this));
    }
    parts = List.copyOf(all);
    partsLeft.set(count);
    return this;
  }

  /** Whether a thread waits for it. */
  boolean isBlocked() {
    return blocked;
  }

  /** Its parts: itself, where it asks for one thing only. */
  List<PendingCall> parts() {
    return parts;
  }

  /** Under which ticket its one thing is under way; 0 if it never was. */
  long ticket() {
    return ticket;
  }

  void isUnderWay(long as) {
    ticket = as;
  }

  void isInChain(Consumer<Seen> remembers) {
    chain = remembers;
  }

  /** Its one thing is about to end, having seen that. */
  void saw(Seen seen) {
    if (chain != null) {
      chain.accept(seen);
    }
  }

  /** How it ended; null until then. */
  @Nullable Ending ending() {
    return ending.get();
  }

  /** Ends what has not ended of it. Returns who is to be told now; null if nobody is. */
  @Nullable PendingCall endAll(Ending how) {
    PendingCall last = null;
    for (PendingCall part : parts) {
      PendingCall ended = part.end(how);
      last = ended == null ? last : ended;
    }
    return last;
  }

  /** Ends its one thing, unless it has ended. Returns who is to be told now; null if nobody is. */
  @Nullable PendingCall end(Ending how) {
    if (!ending.compareAndSet(null, how)) {
      return null;
    }
    if (whole == null) {
      return this;
    }
    return whole.partsLeft.decrementAndGet() > 0
        ? null
        : whole.end(new Ending.OfParts(whole.endings()));
  }

  private List<Ending> endings() {
    List<Ending> all = new ArrayList<>(parts.size());
    for (PendingCall part : parts) {
      Ending ended = part.ending.get();
      if (ended == null) {
        throw new AssertionError("not every part has ended");
      }
      all.add(ended);
    }
    return all;
  }

  /** Tells its caller that it has ended. */
  void tell() {
    Ending ended = ending.get();
    if (ended != null) {
      told.accept(ended);
    }
  }
}

package dev.tempest.runtime.frontend;

import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call whose answer a caller waits for: by a blocked thread, or by code to run then. A call for
 * several things as one has a part for each, and ends when the last of them has.
 */
final class PendingCall {
  private final @Nullable Thread thread;
  private final @Nullable Consumer<Ending> then;
  private final @Nullable PendingCall whole;
  private List<PendingCall> parts = List.of(this);
  private int partsLeft;
  private long ticket;
  private @Nullable Consumer<Seen> session;
  private volatile boolean abandoned;
  private volatile @Nullable Ending ending;

  private PendingCall(
      @Nullable Thread thread, @Nullable Consumer<Ending> then, @Nullable PendingCall whole) {
    this.thread = thread;
    this.then = then;
    this.whole = whole;
  }

  static PendingCall blocked(Thread thread) {
    return new PendingCall(thread, null, null);
  }

  static PendingCall callback(Consumer<Ending> then) {
    return new PendingCall(null, then, null);
  }

  /** The same for so many things, at least one. */
  PendingCall ofParts(int count) {
    List<PendingCall> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(new PendingCall(null, null, this));
    }
    parts = List.copyOf(all);
    partsLeft = count;
    return this;
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

  void isInSession(Consumer<Seen> told) {
    session = told;
  }

  /** Its one thing is about to end, having seen that. */
  void saw(Seen seen) {
    if (session != null) {
      session.accept(seen);
    }
  }

  /** Whether a thread waits for it. */
  boolean isBlocked() {
    return whole == null ? thread != null && !abandoned : whole.isBlocked();
  }

  /** Its thread waits no longer. */
  void abandon() {
    abandoned = true;
  }

  /** How it ended; null until then. */
  @Nullable Ending ending() {
    return ending;
  }

  /** Keeps how it ended. Returns who is to be told now; null if other parts are under way. */
  @Nullable PendingCall end(Ending how) {
    ending = how;
    if (whole == null) {
      return this;
    }
    whole.partsLeft--;
    return whole.partsLeft > 0 ? null : whole.end(new Ending.OfParts(whole.endings()));
  }

  /** How all parts ended, once they have. */
  Ending.OfParts endingOfParts() {
    if (ending instanceof Ending.OfParts ended) {
      return ended;
    }
    throw new IllegalStateException("parts are under way: " + ending);
  }

  private List<Ending> endings() {
    List<Ending> all = new ArrayList<>(parts.size());
    for (PendingCall part : parts) {
      Ending ended = part.ending;
      if (ended == null) {
        throw new AssertionError("not every part has ended");
      }
      all.add(ended);
    }
    return all;
  }

  /** Goes on with its caller: because it ended, or because the thread is to drive. */
  void resume() {
    Ending ended = ending;
    if (thread != null) {
      LockSupport.unpark(thread);
    } else if (then != null && ended != null) {
      then.accept(ended);
    }
  }
}

package dev.tempest.runtime.node;

import dev.tempest.ReconciliationListener;
import dev.tempest.Registration;
import dev.tempest.runtime.LogLines;
import dev.tempest.state.versioned.EntryVisitor;
import dev.tempest.state.versioned.Following;
import dev.tempest.state.versioned.Home;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedState;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls listeners of one node, in a thread of their own, which begins with the first of them.
 *
 * <p>It compares the version that each has been told of with the newest one, so that it holds
 * nothing up and keeps no queue, however slow listeners are.
 */
final class Listeners implements AutoCloseable {
  private static final System.Logger LOGGER = LogLines.logger(Listeners.class);

  /** Reconciliations change no version where the late writes change nothing. */
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Else each write wakes the thread, which takes several times as long as to write. */
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Holder state;
  private final Home home;
  private final LongSupplier reconciled;
  private final List<Told<?, ?>> followers = new CopyOnWriteArrayList<>();
  private final List<ReconciliationListener> reconciliations = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Calls nobody yet.
   *
   * @param reconciled how many writes have come in late so far
   */
  Listeners(Holder state, Home home, LongSupplier reconciled, String name) {
    this.state = state;
    this.home = home;
    this.reconciled = reconciled;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /**
   * Adds a listener of a whole collection.
   *
   * @throws IllegalArgumentException if it is none of that state
   */
  <K, V> Registration add(VersionedState owner, Object collection, EntryVisitor<K, V> listener) {
    Told<K, V> told = new Told<>(owner, collection, listener, shown());
    followers.add(told);
    begin();
    return () -> followers.remove(told);
  }

  Registration add(ReconciliationListener listener) {
    reconciliations.add(listener);
    begin();
    return () -> reconciliations.remove(listener);
  }

  @Override
  public void close() {
    closed = true;
  }

  private synchronized void begin() {
    if (thread.getState() == Thread.State.NEW && !closed) {
      thread.start();
    }
  }

  private Version shown() {
    return Objects.requireNonNull(state.shown(), "collections show something from the beginning");
  }

  private void run() {
    Version seen = shown();
    long toldReconciled = reconciled.getAsLong();
    try {
      while (!closed) {
        awaitOther(seen);
        seen = shown();
        for (Told<?, ?> told : followers) {
          told.tell(seen);
        }
        long now = reconciled.getAsLong();
        long late = now - toldReconciled;
        if (late > 0) {
          reconciliations.forEach(listener -> call(() -> listener.reconciled(late)));
          toldReconciled = now;
        }
        LockSupport.parkNanos(REST_NANOS);
      }
    } catch (InterruptedException | IllegalStateException ended) {
      // The node is closed: there is nothing more to tell.
      closed = true;
    }
  }

  @SuppressWarnings("ReferenceEquality") // Whether it is another one, and not what is in it.
  private void awaitOther(Version seen) throws InterruptedException {
    home.awaitShown(version -> version != seen, LOOK_AGAIN_NANOS);
  }

  /** What one listener throws is no other's matter. */
  private static void call(Runnable listener) {
    try {
      listener.run();
    } catch (Throwable thrown) {
      warn(thrown);
    } finally {
      var unused = Thread.interrupted(); // Which would end the thread of them all.
    }
  }

  private static void warn(Throwable thrown) {
    LOGGER.log(Level.WARNING, "A listener threw; Tempest keeps calling it", thrown);
  }

  /** A listener, and the version that it knows. */
  private static final class Told<K, V> {
    private final EntryVisitor<K, V> listener;
    private final Following following;
    private Version version;

    /** The first that the listener threw for the version that it is told of now. */
    private @Nullable Throwable thrown;

    Told(VersionedState owner, Object collection, EntryVisitor<K, V> listener, Version version) {
      this.listener = listener;
      this.following = owner.<K, V>follow(collection, this::call);
      this.version = version;
    }

    @SuppressWarnings("ReferenceEquality") // Whether it is another one.
    void tell(Version newest) {
      Version before = version;
      version = newest;
      if (before == newest) {
        return;
      }
      thrown = null;
      Listeners.call(() -> following.show(before, newest));
      if (thrown != null) {
        warn(thrown);
      }
    }

    /** What it throws for one change is no reason to miss the others. */
    private void call(K key, @Nullable V was, @Nullable V is) {
      try {
        listener.visit(key, was, is);
      } catch (Throwable itsOwn) {
        thrown = thrown == null ? itsOwn : thrown;
      }
    }
  }
}

package dev.tempest.runtime.node;

import dev.tempest.OverloadedException;
import dev.tempest.protocol.order.Replica;
import dev.tempest.service.execution.ServiceInstance;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A replica that the loop and the threads of the application use, one at a time. Whoever uses it
 * may execute constructors of records and merge functions, which may never return: threads of the
 * application wait for that no longer than for anything else. Thread-safe.
 */
final class SharedReplica {
  /** Longer than almost any step: who only looks is not told that nothing holds for that. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final DeadlineLock using = new DeadlineLock();
  private final long longestNanos;
  private @Nullable Replica replica;

  /** The thread that must not wait; null before it has started. */
  private volatile @Nullable Thread loop;

  /** {@code longest} is how long a thread of the application waits for it. */
  SharedReplica(Duration longest) {
    this.longestNanos = longest.toNanos();
  }

  /** Held by whoever uses the replica. */
  DeadlineLock using() {
    return using;
  }

  /**
   * Begins to use it.
   *
   * @throws OverloadedException if another thread has used it for too long
   */
  void enter() {
    enter(longestNanos);
  }

  /** As {@link #enter()}, if another thread has used it for so long. */
  void enter(long longestNanos) {
    if (isLoop()) {
      using.lock();
    } else if (!using.tryWithin(longestNanos)) {
      throw new OverloadedException(
          "nothing was read or written: this node has been busy for too long with what it executes"
              + " for others. If the constructor of a record or a merge function has not returned,"
              + " its log says where it is");
    }
  }

  void leave() {
    using.unlock();
  }

  /** Whether the calling thread uses it. */
  boolean isUsedByCaller() {
    return using.isHeldByCurrentThread();
  }

  /** Throws if the calling thread uses it: then it is between two states. */
  void requireOutside() {
    if (isUsedByCaller()) {
      throw new IllegalStateException(
          "the constructor of a record or a merge function must not use the node that executes it");
    }
  }

  /** Constructs the replica, in the loop, and sees what it is like. */
  void start(
      ServiceInstance instance,
      Function<ServiceInstance, Replica> construct,
      Consumer<Replica> constructed) {
    loop = Thread.currentThread();
    enter();
    try {
      Replica present = construct.apply(instance);
      replica = present;
      constructed.accept(present);
    } finally {
      leave();
    }
  }

  /** Asks the replica; {@code absent} before there is one. */
  <T> T ask(Function<Replica, T> question, T absent) {
    enter();
    try {
      Replica present = replica;
      return present == null ? absent : question.apply(present);
    } finally {
      leave();
    }
  }

  /**
   * Whether something holds for the replica, if nobody else uses it for longer than that and than a
   * step takes; then it is shown to somebody.
   */
  boolean holds(Predicate<Replica> condition, Consumer<Replica> shown, long longestNanos)
      throws InterruptedException {
    if (!using.tryLock(Math.max(longestNanos, LOOK_NANOS), TimeUnit.NANOSECONDS)) {
      return false;
    }
    try {
      Replica present = replica;
      boolean holds = present != null && condition.test(present);
      if (holds) {
        shown.accept(present);
      }
      return holds;
    } finally {
      leave();
    }
  }

  /** Null before there is one. The caller uses it. */
  @Nullable Replica orNull() {
    return replica;
  }

  /** The caller uses it. */
  Replica require() {
    Replica present = replica;
    if (present == null) {
      throw new IllegalStateException("the node has not joined its cluster yet");
    }
    return present;
  }

  boolean isLoop() {
    return Thread.currentThread().equals(loop);
  }
}

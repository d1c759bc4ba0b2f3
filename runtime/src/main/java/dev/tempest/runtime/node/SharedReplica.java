package dev.tempest.runtime.node;

import dev.tempest.protocol.order.Replica;
import dev.tempest.service.execution.ServiceInstance;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A replica that the loop and the threads of the application use, one at a time. Thread-safe. */
final class SharedReplica {
  private final ReentrantLock using = new ReentrantLock();
  private @Nullable Replica replica;

  /** The thread that must not wait; null before it has started. */
  private volatile @Nullable Thread loop;

  /** Held by whoever uses the replica. */
  ReentrantLock using() {
    return using;
  }

  /** Constructs the replica, in the loop, and sees what it is like. */
  void start(
      ServiceInstance instance,
      Function<ServiceInstance, Replica> construct,
      Consumer<Replica> constructed) {
    using.lock();
    try {
      loop = Thread.currentThread();
      Replica present = construct.apply(instance);
      replica = present;
      constructed.accept(present);
    } finally {
      using.unlock();
    }
  }

  /** Asks the replica; {@code absent} before there is one. */
  <T> T ask(Function<Replica, T> question, T absent) {
    using.lock();
    try {
      Replica present = replica;
      return present == null ? absent : question.apply(present);
    } finally {
      using.unlock();
    }
  }

  /** Null before there is one. The caller holds the lock. */
  @Nullable Replica orNull() {
    return replica;
  }

  /** The caller holds the lock. */
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

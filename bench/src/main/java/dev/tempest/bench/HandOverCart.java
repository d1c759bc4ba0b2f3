package dev.tempest.bench;

import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cart in a local map that one other thread owns: what any caller pays that blocks until another
 * thread has its answer, and nothing else.
 */
final class HandOverCart implements Cart, Runnable {
  private static final class Request {
    final Thread caller = Thread.currentThread();
    final IntSupplier what;
    volatile @Nullable Integer answer;

    Request(IntSupplier what) {
      this.what = what;
    }
  }

  private final Cart.InMap cart = new Cart.InMap(new ConcurrentHashMap<>());
  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
  private final Thread owner = Thread.ofPlatform().daemon().name("owner").start(this);
  private volatile boolean idle;

  @Override
  public int add(String item) {
    return ask(() -> cart.add(item));
  }

  @Override
  public int check(String item) {
    return ask(() -> cart.check(item));
  }

  private int ask(IntSupplier what) {
    Request request = new Request(what);
    requests.add(request);
    if (idle) {
      LockSupport.unpark(owner);
    }
    for (Integer answer = request.answer; ; answer = request.answer) {
      if (answer != null) {
        return answer;
      }
      LockSupport.park(this);
    }
  }

  @Override
  public void run() {
    while (true) {
      Request request = requests.poll();
      if (request != null) {
        request.answer = request.what.getAsInt();
        LockSupport.unpark(request.caller);
        continue;
      }
      idle = true;
      if (requests.isEmpty()) {
        LockSupport.park(this);
      }
      idle = false;
    }
  }
}

package dev.tempest.bench;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A cart in a local map that one other thread owns: what any caller pays that blocks until another
 * thread has its answer, and nothing else.
 */
final class HandOverCart implements Cart {
  private final Cart.InMap cart = new Cart.InMap(new ConcurrentHashMap<>());

  /** The queue has no lock, and wakes the thread only if it waits. */
  private final ExecutorService owner =
      new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedTransferQueue<>());

  @Override
  public int add(String item) throws IOException, InterruptedException {
    return ask(() -> cart.add(item));
  }

  @Override
  public int check(String item) throws IOException, InterruptedException {
    return ask(() -> cart.check(item));
  }

  private int ask(Callable<Integer> what) throws IOException, InterruptedException {
    try {
      return owner.submit(what).get();
    } catch (ExecutionException failed) {
      throw new IOException(failed);
    }
  }
}

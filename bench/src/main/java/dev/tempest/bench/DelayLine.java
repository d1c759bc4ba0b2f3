package dev.tempest.bench;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Hands over what is put in, each some time later, in the order in which it came: one way of a far
 * connection, which does not reorder either, as a rule.
 */
final class DelayLine {
  /** What a way holds; what comes then is lost, as on a network. */
  private static final int WAITING_MAX = 65_536;

  /** Sends it on. */
  @FunctionalInterface
  interface Delivery {
    void deliver() throws IOException;
  }

  private record Waiting(long atNanos, Delivery delivery) {}

  private final Delay delay;
  private final SplittableRandom random;
  private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>(WAITING_MAX);

  /** A line with a thread of its own, as long as the process lives. */
  DelayLine(Delay delay, long seed) {
    this.delay = delay;
    this.random = new SplittableRandom(seed);
    Thread.ofPlatform().daemon().name("delay-line").start(this::deliver);
  }

  /** Only one thread may. */
  void put(Delivery delivery) {
    boolean _ = waiting.offer(new Waiting(System.nanoTime() + delay.nextNanos(random), delivery));
  }

  private void deliver() {
    try {
      while (true) {
        Waiting next = waiting.take();
        TimedClient.sleepUntil(next.atNanos());
        try {
          next.delivery().deliver();
        } catch (IOException gone) {
          // Whoever it was for: nobody is told on a network either.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

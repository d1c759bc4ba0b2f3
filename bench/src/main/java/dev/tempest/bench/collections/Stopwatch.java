package dev.tempest.bench.collections;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Adds up how long the calling thread took for batches of operations, and how long it had a
 * processor meanwhile. Owned by that thread.
 */
final class Stopwatch {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private long startProcessorNanos;
  private long startNanos;
  private long nanos;
  private long processorNanos;
  private long operations;

  void start() {
    startProcessorNanos = threads.getCurrentThreadCpuTime();
    startNanos = System.nanoTime();
  }

  void stop(int done) {
    nanos += System.nanoTime() - startNanos;
    processorNanos += threads.getCurrentThreadCpuTime() - startProcessorNanos;
    operations += done;
  }

  long operations() {
    return operations;
  }

  MapAnswer answer() {
    return new MapAnswer(operations, nanos, processorNanos, 0, 0, 0);
  }
}

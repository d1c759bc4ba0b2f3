package dev.tempest.bench;

import dev.tempest.OverloadedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;

/**
 * Puts into a map at a steady pace, and times each put. What falls due while an earlier one takes
 * long is late from when it was due; being woken late is not the map's fault.
 */
final class PacedWriter {
  private static final int KEYS = 1_000;

  private final String name;
  private final Map<Integer, Integer> map;
  private final int perSecond;
  private final CompletableFuture<List<Point>> written;

  /** Advances at the end of each second. */
  private final Phaser seconds = new Phaser(1);

  private volatile boolean ending;

  /** Begins to put into the map of a name. */
  PacedWriter(String name, Map<Integer, Integer> map, int perSecond) {
    this.name = name;
    this.map = map;
    this.perSecond = perSecond;
    this.written =
        CompletableFuture.supplyAsync(
            this::writeOn, Thread.ofPlatform().daemon().name("paced-writer")::start);
    var _ = written.whenComplete((points, failed) -> seconds.forceTermination());
  }

  private List<Point> writeOn() {
    List<Point> points = new ArrayList<>();
    long startNanos = System.nanoTime();
    for (int second = 0; !ending; second++) {
      points.add(writeOneSecond(startNanos + TimeUnit.SECONDS.toNanos(second), second));
      var _ = seconds.arrive();
    }
    return points;
  }

  private Point writeOneSecond(long startNanos, int second) {
    TimedClient.sleepUntil(startNanos);
    long epochMillis = System.currentTimeMillis();
    long[] nanos = new long[perSecond];
    int refused = 0;
    for (int put = 0; put < perSecond; put++) {
      long fromNanos = startNanos + TimeUnit.SECONDS.toNanos(put) / perSecond;
      if (fromNanos - System.nanoTime() > 0) {
        TimedClient.sleepUntil(fromNanos);
        fromNanos = System.nanoTime();
      }
      int number = second * perSecond + put;
      try {
        map.put(number % KEYS, number);
      } catch (OverloadedException slow) {
        refused++; // After it has waited, which counts as what it took.
      }
      nanos[put] = System.nanoTime() - fromNanos;
    }
    Arrays.sort(nanos);
    return Point.of(
        "map",
        name,
        "epochMillis",
        epochMillis,
        "lastsMillis",
        System.currentTimeMillis() - epochMillis,
        "puts",
        perSecond,
        "refused",
        refused,
        "p50Micros",
        nanos[perSecond / 2] / 1e3,
        "p99Micros",
        nanos[perSecond - 1 - perSecond / 100] / 1e3,
        "maxMicros",
        nanos[perSecond - 1] / 1e3);
  }

  /**
   * Waits until so many seconds have begun and ended, late as they may be.
   *
   * @throws CompletionException if a put fails
   */
  void await(int number) throws InterruptedException {
    int second = seconds.getPhase();
    for (int ended = 0; ended <= number && second >= 0; ended++) { // The first one had begun.
      second = seconds.awaitAdvanceInterruptibly(second);
    }
    if (seconds.isTerminated()) {
      written.join();
    }
  }

  /**
   * Ends, and returns a point for each second.
   *
   * @throws CompletionException if a put failed
   */
  List<Point> end() {
    ending = true;
    return written.join();
  }
}

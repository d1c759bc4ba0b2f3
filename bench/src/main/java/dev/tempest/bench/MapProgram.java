package dev.tempest.bench;

import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/**
 * A process that has maps of one kind, used by one thread.
 *
 * <p>Of all maps the same code is measured, each in a process of its own, so that the compiler
 * knows no other.
 */
final class MapProgram implements Program.Answers<MapProgram.Request, Point> {
  private static final int FILL_BATCH = 1_000;
  private static final int GETS_PER_PUT = 19;
  private static final int BURST = 10;
  private static final long BURST_INTERVAL_NANOS = 10_000_000;
  private static final long LOOK_AGAIN_NANOS = 1_000_000;
  private static final int COLLECTIONS = 4;
  private static final long FREED_LEAST_BYTES = 100_000;

  /** What to do to the map of so many entries. */
  record Request(What what, int entries, Duration duration) implements Serializable {}

  /** What can be done. */
  enum What {
    /** Put all keys. */
    FILL(""),

    /** Get random keys, one independent of the other, again and again for so long. */
    GET("get, loop"),

    /** As {@link #GET}, but each key is known only from the value before. */
    GET_NEXT("get"),

    /** Put to random keys that are there, again and again for so long. */
    PUT("put"),

    /** Compute the values of random keys, again and again for so long. */
    COMPUTE("compute"),

    /** As {@link #PUT}, 10 every 10 ms, each timed by itself. */
    PUT_PACED("put, 1,000/s"),

    /**
     * 19 times as {@link #GET}, each timed by itself, then one put, again and again for so long. In
     * turn the gets are those of a {@link HashMap} with the same entries: what the machine takes.
     */
    GET_BETWEEN_PUTS("get, 5 % puts"),

    /** Put to some keys all over the map, what it was not when they were marked before. */
    MARK(""),

    /** Wait until those keys were marked as often in the other process as asked for here. */
    AWAIT_MARK(""),

    /** How many bytes of heap the map takes per entry, keys and values aside; fills it. */
    BYTES("");

    /** For people. */
    final String title;

    What(String title) {
      this.title = title;
    }

    /** Whether other processes get to hear of it. */
    boolean writes() {
      return this != GET && this != GET_NEXT;
    }
  }

  /** A batch of operations. */
  @FunctionalInterface
  private interface Batch {
    void run(Map<String, String> map, String[] keys, String[] values);
  }

  private final IntFunction<Map<String, String>> open;
  private final Map<Integer, Map<String, String>> maps = new HashMap<>();
  private final Map<Integer, Keys> keysOf = new HashMap<>();
  private final Map<Integer, Map<String, String>> plain = new HashMap<>();
  private int marks;

  /** Opens the kind with {@link MapKind#open}. */
  MapProgram(MapKind kind, String cluster, List<Integer> ports) throws InterruptedException {
    this.open = kind.open(cluster, ports);
  }

  @Override
  public Point answer(Request request) {
    Map<String, String> map = maps.computeIfAbsent(request.entries, open::apply);
    Keys keys = keysOf.computeIfAbsent(request.entries, Keys::new);
    long nanos = request.duration.toNanos();
    return switch (request.what) {
      case FILL -> putAll(map, Keys.fresh(request.entries), keys);
      case GET -> timed(map, keys, nanos, MapProgram::get);
      case GET_NEXT -> timed(map, keys, nanos, MapProgram::getNext);
      case PUT -> timed(map, keys, nanos, MapProgram::put);
      case COMPUTE -> timed(map, keys, nanos, MapProgram::compute);
      case PUT_PACED -> putPaced(map, keys, nanos);
      case GET_BETWEEN_PUTS -> getBetweenPuts(map, plainOf(request.entries, keys), keys, nanos);
      case MARK -> mark(map, keys);
      case AWAIT_MARK -> awaitMark(map, keys);
      case BYTES -> bytes(map, Keys.fresh(request.entries), keys);
    };
  }

  private static Point putAll(Map<String, String> map, String[] fresh, Keys keys) {
    Map<String, String> batch = new HashMap<>();
    for (int index = 0; index < fresh.length; index++) {
      batch.put(fresh[index], keys.firstValue(index));
      if (batch.size() == FILL_BATCH || index == fresh.length - 1) {
        map.putAll(batch);
        batch.clear();
      }
    }
    return Point.of("operations", fresh.length);
  }

  /** Batch after batch, for so long; only what is inside of batches is timed. */
  private static Point timed(Map<String, String> map, Keys keys, long forNanos, Batch batch) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long operations = 0;
    long nanos = 0;
    long processorNanos = 0;
    long endNanos = System.nanoTime() + forNanos;
    while (System.nanoTime() - endNanos < 0) {
      String[] some = keys.nextBatch();
      String[] values = keys.valuesOfBatch();
      long startProcessorNanos = threads.getCurrentThreadCpuTime();
      long startNanos = System.nanoTime();
      batch.run(map, some, values);
      nanos += System.nanoTime() - startNanos;
      processorNanos += threads.getCurrentThreadCpuTime() - startProcessorNanos;
      operations += some.length;
    }
    return Point.of(
        "operations", operations,
        "nanos", (double) nanos / operations,
        "processorNanos", (double) processorNanos / operations);
  }

  private static void get(Map<String, String> map, String[] keys, String[] values) {
    for (String key : keys) {
      Objects.requireNonNull(map.get(key));
    }
  }

  /**
   * A processor works at several gets of a loop at once, but not if one has to wait for another.
   */
  private static void getNext(Map<String, String> map, String[] keys, String[] values) {
    int index = 0;
    while (index < keys.length) {
      // No value is that long, which only the value itself can say.
      index += 1 + (Objects.requireNonNull(map.get(keys[index])).length() >>> Short.SIZE);
    }
  }

  private static void put(Map<String, String> map, String[] keys, String[] values) {
    for (int index = 0; index < keys.length; index++) {
      map.put(keys[index], values[index]);
    }
  }

  private static void compute(Map<String, String> map, String[] keys, String[] values) {
    for (int index = 0; index < keys.length; index++) {
      String value = values[index];
      map.compute(keys[index], (key, before) -> before == null ? key : value);
    }
  }

  /**
   * Answers the median: a thread that the machine stops for a moment takes as long as thousands of
   * operations.
   */
  private static Point putPaced(Map<String, String> map, Keys keys, long nanos) {
    Histogram putNanos = new Histogram(Point.SIGNIFICANT_DIGITS);
    long nextNanos = System.nanoTime();
    long endNanos = nextNanos + nanos;
    while (nextNanos - endNanos < 0) {
      String[] batch = keys.nextBatch();
      String[] values = keys.valuesOfBatch();
      for (int index = 0; index < BURST; index++) {
        long startNanos = System.nanoTime();
        map.put(batch[index], values[index]);
        putNanos.recordValue(System.nanoTime() - startNanos);
      }
      nextNanos += BURST_INTERVAL_NANOS;
      LockSupport.parkNanos(nextNanos - System.nanoTime());
    }
    return Point.of(
        "operations", putNanos.getTotalCount(),
        "nanos", putNanos.getValueAtPercentile(50),
        "p99Nanos", putNanos.getValueAtPercentile(99));
  }

  private Map<String, String> plainOf(int entries, Keys keys) {
    return plain.computeIfAbsent(
        entries,
        _ -> {
          Map<String, String> same = new HashMap<>();
          var _ = putAll(same, Keys.fresh(entries), keys);
          return same;
        });
  }

  /** Answers medians, as {@link #putPaced}. */
  private static Point getBetweenPuts(
      Map<String, String> map, Map<String, String> plain, Keys keys, long nanos) {
    Histogram getNanos = new Histogram(Point.SIGNIFICANT_DIGITS);
    Histogram plainNanos = new Histogram(Point.SIGNIFICANT_DIGITS);
    boolean isPlain = false;
    long endNanos = System.nanoTime() + nanos;
    while (System.nanoTime() - endNanos < 0) {
      String[] batch = keys.nextBatch();
      String[] values = keys.valuesOfBatch();
      for (int index = 0; index + GETS_PER_PUT < batch.length; index += GETS_PER_PUT + 1) {
        for (int get = index; get < index + GETS_PER_PUT; get++) {
          long startNanos = System.nanoTime();
          Objects.requireNonNull(isPlain ? plain.get(batch[get]) : map.get(batch[get]));
          (isPlain ? plainNanos : getNanos).recordValue(System.nanoTime() - startNanos);
        }
        isPlain = !isPlain;
        map.put(batch[index + GETS_PER_PUT], values[index]);
      }
    }
    return Point.of(
        "operations", getNanos.getTotalCount(),
        "nanos", getNanos.getValueAtPercentile(50),
        "p99Nanos", getNanos.getValueAtPercentile(99),
        "hashMapNanos", plainNanos.getValueAtPercentile(50));
  }

  private Point mark(Map<String, String> map, Keys keys) {
    String mark = "mark-" + ++marks;
    String[] sample = keys.sample();
    for (String key : sample) {
      map.put(key, mark);
    }
    return Point.of("operations", sample.length);
  }

  /** Looks again and again: the products' maps have no other way in common. */
  private Point awaitMark(Map<String, String> map, Keys keys) {
    String mark = "mark-" + ++marks;
    String[] sample = keys.sample();
    for (int index = 0; index < sample.length; ) {
      if (mark.equals(map.get(sample[index]))) {
        index++;
      } else {
        LockSupport.parkNanos(LOOK_AGAIN_NANOS);
      }
    }
    return Point.of("operations", sample.length);
  }

  /** By how much the heap grows when the same objects are put into the map. */
  private static Point bytes(Map<String, String> map, String[] own, Keys keys) {
    long beforeBytes = usedBytes();
    var _ = putAll(map, own, keys);
    long bytes = usedBytes() - beforeBytes;
    if (map.size() != own.length || !own[0].equals(Keys.key(0))) {
      throw new IllegalStateException("the map has " + map.size() + " entries");
    }
    return Point.of("bytesPerEntry", (double) bytes / own.length);
  }

  /** Once there is no more garbage: what a map does in the background makes some for a while. */
  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long before = Long.MAX_VALUE;
    long used = runtime.totalMemory();
    for (int times = 0; times < COLLECTIONS || before - used > FREED_LEAST_BYTES; times++) {
      before = used;
      System.gc();
      used = runtime.totalMemory() - runtime.freeMemory();
    }
    return used;
  }
}

package dev.tempest.bench.collections;

import dev.tempest.bench.load.ChildMain;
import dev.tempest.bench.load.Sample;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/**
 * A process that has maps of one kind, used by one thread.
 *
 * <p>Of all maps the same code is measured, each in a process of its own, so that the compiler
 * knows no other.
 */
public final class MapProgram {
  private static final int FILL_BATCH = 1_000;
  private static final int BURST = 10;
  private static final long BURST_INTERVAL_NANOS = 10_000_000;
  private static final int COLLECTIONS = 4;
  private static final long SETTLE_MILLIS = 500;

  private final IntFunction<Map<String, String>> open;
  private final Map<Integer, Map<String, String>> maps = new HashMap<>();
  private final Map<Integer, Keys> keys = new HashMap<>();
  private int marks;

  private MapProgram(IntFunction<Map<String, String>> open) {
    this.open = open;
  }

  /**
   * Does what the parent asks. Arguments: the kind of map, the name of the cluster, then ports as
   * in {@link MapKind#open}.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<Integer> ports = Arrays.stream(args).skip(2).map(Integer::valueOf).toList();
    MapProgram program = new MapProgram(MapKind.valueOf(args[0]).open(args[1], ports));
    ChildMain.serveLines(line -> program.answer(MapRequest.parse(line)).toLine());
  }

  private MapAnswer answer(MapRequest request) throws InterruptedException {
    int entries = request.entries();
    if (request.kind() == MapRequest.Kind.BYTES) {
      return MapAnswer.ofValue(bytes(entries));
    }
    Map<String, String> map = maps.computeIfAbsent(entries, open::apply);
    Keys known = keys.computeIfAbsent(entries, Keys::new);
    long nanos = TimeUnit.MILLISECONDS.toNanos(request.argument());
    return switch (request.kind()) {
      case FILL -> fill(map, known);
      case GET -> get(map, known, nanos);
      case GET_NEXT -> getNext(map, known, nanos);
      case PUT -> put(map, known, nanos);
      case COMPUTE -> compute(map, known, nanos);
      case PUT_PACED -> putPaced(map, known, nanos);
      case MARK -> mark(map, known);
      case AWAIT -> await(map, known, request.argument());
      case BYTES -> throw new AssertionError("answered above");
    };
  }

  private static MapAnswer fill(Map<String, String> map, Keys keys) {
    long startNanos = System.nanoTime();
    Map<String, String> batch = new HashMap<>();
    for (int index = 0; index < keys.size(); index++) {
      batch.put(Keys.key(index), keys.firstValue(index));
      if (batch.size() == FILL_BATCH || index == keys.size() - 1) {
        map.putAll(batch);
        batch.clear();
      }
    }
    return MapAnswer.timed(keys.size(), System.nanoTime() - startNanos);
  }

  private static MapAnswer get(Map<String, String> map, Keys keys, long nanos) {
    long found = 0;
    Stopwatch watch = new Stopwatch();
    long endNanos = System.nanoTime() + nanos;
    while (System.nanoTime() - endNanos < 0) {
      String[] batch = keys.nextBatch();
      watch.start();
      for (String key : batch) {
        if (map.get(key) != null) {
          found++;
        }
      }
      watch.stop(batch.length);
    }
    if (found != watch.operations()) {
      throw new IllegalStateException("found %d of %d keys".formatted(found, watch.operations()));
    }
    return watch.answer();
  }

  /**
   * A processor works at several gets of a loop at once, but not if one has to wait for another.
   */
  private static MapAnswer getNext(Map<String, String> map, Keys keys, long nanos) {
    Stopwatch watch = new Stopwatch();
    long endNanos = System.nanoTime() + nanos;
    while (System.nanoTime() - endNanos < 0) {
      String[] batch = keys.nextBatch();
      int index = 0;
      watch.start();
      while (index < batch.length) {
        // No value is that long, which only the value itself can say.
        index += 1 + (Objects.requireNonNull(map.get(batch[index])).length() >>> Short.SIZE);
      }
      watch.stop(batch.length);
    }
    return watch.answer();
  }

  private static MapAnswer put(Map<String, String> map, Keys keys, long nanos) {
    Stopwatch watch = new Stopwatch();
    long endNanos = System.nanoTime() + nanos;
    while (System.nanoTime() - endNanos < 0) {
      String[] batch = keys.nextBatch();
      String[] values = keys.valuesOfBatch();
      watch.start();
      for (int index = 0; index < batch.length; index++) {
        map.put(batch[index], values[index]);
      }
      watch.stop(batch.length);
    }
    return watch.answer();
  }

  private static MapAnswer compute(Map<String, String> map, Keys keys, long nanos) {
    Stopwatch watch = new Stopwatch();
    long endNanos = System.nanoTime() + nanos;
    while (System.nanoTime() - endNanos < 0) {
      String[] batch = keys.nextBatch();
      String[] values = keys.valuesOfBatch();
      watch.start();
      for (int index = 0; index < batch.length; index++) {
        String value = values[index];
        map.compute(batch[index], (key, before) -> before == null ? key : value);
      }
      watch.stop(batch.length);
    }
    return watch.answer();
  }

  private static MapAnswer putPaced(Map<String, String> map, Keys keys, long nanos) {
    Histogram putNanos = Sample.newHistogram();
    long spentNanos = 0;
    long nextNanos = System.nanoTime();
    long endNanos = nextNanos + nanos;
    while (nextNanos - endNanos < 0) {
      String[] batch = keys.nextBatch();
      String[] values = keys.valuesOfBatch();
      for (int index = 0; index < BURST; index++) {
        long startNanos = System.nanoTime();
        map.put(batch[index], values[index]);
        long took = System.nanoTime() - startNanos;
        putNanos.recordValue(Math.min(took, Sample.MAX_NANOS));
        spentNanos += took;
      }
      nextNanos += BURST_INTERVAL_NANOS;
      LockSupport.parkNanos(nextNanos - System.nanoTime());
    }
    return new MapAnswer(
        putNanos.getTotalCount(),
        spentNanos,
        0,
        putNanos.getValueAtPercentile(50),
        putNanos.getValueAtPercentile(99),
        0);
  }

  private MapAnswer mark(Map<String, String> map, Keys keys) {
    marks++;
    String[] sample = keys.sample();
    for (int index = 0; index < sample.length; index++) {
      map.put(sample[index], "mark-" + marks + "-" + index);
    }
    return new MapAnswer(sample.length, 0, 0, 0, 0, checksum(map, sample));
  }

  private static MapAnswer await(Map<String, String> map, Keys keys, long checksum)
      throws InterruptedException {
    String[] sample = keys.sample();
    long startNanos = System.nanoTime();
    while (checksum(map, sample) != checksum) {
      Thread.sleep(1);
    }
    return MapAnswer.timed(1, System.nanoTime() - startNanos);
  }

  private static long checksum(Map<String, String> map, String[] sample) {
    long sum = 0;
    for (String key : sample) {
      sum = sum * 31 + String.valueOf(map.get(key)).hashCode();
    }
    return sum;
  }

  private long bytes(int entries) throws InterruptedException {
    Keys known = keys.computeIfAbsent(entries, Keys::new);
    String[] own = new String[entries];
    for (int index = 0; index < entries; index++) {
      own[index] = Keys.key(index);
    }
    Map<String, String> map = maps.computeIfAbsent(entries, open::apply);
    long beforeBytes = usedBytes();
    Map<String, String> batch = new HashMap<>();
    for (int index = 0; index < entries; index++) {
      batch.put(own[index], known.firstValue(index));
      if (batch.size() == FILL_BATCH || index == entries - 1) {
        map.putAll(batch);
        batch.clear();
      }
    }
    Thread.sleep(SETTLE_MILLIS);
    long bytes = usedBytes() - beforeBytes;
    if (map.size() != own.length || !own[0].equals(Keys.key(0))) {
      throw new IllegalStateException("the map has " + map.size() + " entries");
    }
    return bytes;
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    for (int times = 0; times < COLLECTIONS; times++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}

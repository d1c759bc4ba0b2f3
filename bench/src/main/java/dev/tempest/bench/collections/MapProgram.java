package dev.tempest.bench.collections;

import dev.tempest.bench.load.Program;
import dev.tempest.bench.load.Sample;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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
 *
 * @param ports as in {@link MapKind#open}
 */
record MapProgram(MapKind kind, String cluster, List<Integer> ports)
    implements Program<MapRequest, MapAnswer> {
  @Override
  public Answers<MapRequest, MapAnswer> start() throws InterruptedException {
    return new Maps(kind.open(cluster, ports))::answer;
  }

  /** A batch of operations. */
  @FunctionalInterface
  private interface Batch {
    void run(Map<String, String> map, String[] keys, String[] values);
  }

  private static final class Maps {
    private static final int FILL_BATCH = 1_000;
    private static final int BURST = 10;
    private static final long BURST_INTERVAL_NANOS = 10_000_000;
    private static final int COLLECTIONS = 4;
    private static final long SETTLE_MILLIS = 500;

    private final IntFunction<Map<String, String>> open;
    private final Map<Integer, Map<String, String>> maps = new HashMap<>();
    private final Map<Integer, Keys> keys = new HashMap<>();
    private int marks;

    Maps(IntFunction<Map<String, String>> open) {
      this.open = open;
    }

    MapAnswer answer(MapRequest request) throws InterruptedException {
      int entries = request.entries();
      Map<String, String> map = maps.computeIfAbsent(entries, open::apply);
      Keys known = keys.computeIfAbsent(entries, Keys::new);
      long nanos = TimeUnit.MILLISECONDS.toNanos(request.argument());
      return switch (request.kind()) {
        case FILL -> fill(map, known);
        case GET -> timed(map, known, nanos, Maps::get);
        case GET_NEXT -> timed(map, known, nanos, Maps::getNext);
        case PUT -> timed(map, known, nanos, Maps::put);
        case COMPUTE -> timed(map, known, nanos, Maps::compute);
        case PUT_PACED -> putPaced(map, known, nanos);
        case MARK -> mark(map, known);
        case AWAIT -> await(map, known, request.argument());
        case BYTES -> bytes(map, known);
      };
    }

    private static MapAnswer fill(Map<String, String> map, Keys keys) {
      long startNanos = System.nanoTime();
      String[] fresh = new String[keys.size()];
      for (int index = 0; index < fresh.length; index++) {
        fresh[index] = Keys.key(index);
      }
      putAll(map, fresh, keys);
      return MapAnswer.timed(keys.size(), System.nanoTime() - startNanos);
    }

    private static void putAll(Map<String, String> map, String[] fresh, Keys keys) {
      Map<String, String> batch = new HashMap<>();
      for (int index = 0; index < fresh.length; index++) {
        batch.put(fresh[index], keys.firstValue(index));
        if (batch.size() == FILL_BATCH || index == fresh.length - 1) {
          map.putAll(batch);
          batch.clear();
        }
      }
    }

    /** Batch after batch, for so long; only what is inside of batches is timed. */
    private static MapAnswer timed(Map<String, String> map, Keys keys, long forNanos, Batch batch) {
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
      return new MapAnswer(operations, nanos, processorNanos, 0, 0, 0);
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

    /** By how much the heap grows when the same objects are put into the map. */
    private static MapAnswer bytes(Map<String, String> map, Keys keys) throws InterruptedException {
      String[] own = new String[keys.size()];
      for (int index = 0; index < own.length; index++) {
        own[index] = Keys.key(index);
      }
      long beforeBytes = usedBytes();
      putAll(map, own, keys);
      Thread.sleep(SETTLE_MILLIS);
      long bytes = usedBytes() - beforeBytes;
      if (map.size() != own.length || !own[0].equals(Keys.key(0))) {
        throw new IllegalStateException("the map has " + map.size() + " entries");
      }
      return MapAnswer.ofValue(bytes);
    }

    private static long usedBytes() {
      Runtime runtime = Runtime.getRuntime();
      for (int times = 0; times < COLLECTIONS; times++) {
        System.gc();
      }
      return runtime.totalMemory() - runtime.freeMemory();
    }
  }
}

package dev.tempest.jcache;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.cache.event.EventType;
import javax.cache.management.CacheStatisticsMXBean;
import org.jspecify.annotations.Nullable;

/** What this process did with a cache, while it was to be counted. Thread-safe. */
final class Statistics implements CacheStatisticsMXBean {
  private static final float PERCENT = 100;

  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder puts = new LongAdder();
  private final LongAdder removals = new LongAdder();
  private final LongAdder getNanos = new LongAdder();
  private final LongAdder putNanos = new LongAdder();
  private final LongAdder removeNanos = new LongAdder();
  private volatile boolean isEnabled;

  Statistics() {}

  void enable(boolean enabled) {
    isEnabled = enabled;
  }

  /** Counts an operation that began then. */
  void count(
      boolean isHit,
      boolean isLooking,
      Draft<?, ?> draft,
      @Nullable EventType event,
      long startNanos) {
    if (!isEnabled) {
      return;
    }
    long nanos = System.nanoTime() - startNanos;
    if (isLooking) {
      (isHit ? hits : misses).increment();
      getNanos.add(nanos);
    }
    if ((event == EventType.CREATED || event == EventType.UPDATED) && !draft.isLoaded()) {
      puts.increment();
      putNanos.add(nanos);
    }
    if (event == EventType.REMOVED) {
      removals.increment();
      removeNanos.add(nanos);
    }
  }

  @Override
  public void clear() {
    for (LongAdder each :
        new LongAdder[] {hits, misses, puts, removals, getNanos, putNanos, removeNanos}) {
      each.reset();
    }
  }

  @Override
  public long getCacheHits() {
    return hits.sum();
  }

  @Override
  public float getCacheHitPercentage() {
    return percentage(getCacheHits());
  }

  @Override
  public long getCacheMisses() {
    return misses.sum();
  }

  @Override
  public float getCacheMissPercentage() {
    return percentage(getCacheMisses());
  }

  @Override
  public long getCacheGets() {
    return getCacheHits() + getCacheMisses();
  }

  @Override
  public long getCachePuts() {
    return puts.sum();
  }

  @Override
  public long getCacheRemovals() {
    return removals.sum();
  }

  /** What goes because of {@code max-size} is not counted: the node that writes decides it. */
  @Override
  public long getCacheEvictions() {
    return 0;
  }

  @Override
  public float getAverageGetTime() {
    return averageMicros(getNanos, getCacheGets());
  }

  @Override
  public float getAveragePutTime() {
    return averageMicros(putNanos, getCachePuts());
  }

  @Override
  public float getAverageRemoveTime() {
    return averageMicros(removeNanos, getCacheRemovals());
  }

  private float percentage(long part) {
    long gets = getCacheGets();
    return gets == 0 ? 0 : part * PERCENT / gets;
  }

  private static float averageMicros(LongAdder nanos, long count) {
    return count == 0 ? 0 : (float) nanos.sum() / TimeUnit.MICROSECONDS.toNanos(count);
  }
}

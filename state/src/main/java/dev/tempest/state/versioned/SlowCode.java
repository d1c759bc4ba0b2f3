package dev.tempest.state.versioned;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Names the code of users that runs for long where writes are applied and services are executed: a
 * node serves nothing else meanwhile. Without a clock, as in a simulation, nothing takes any time.
 *
 * <p>Thread-safe.
 */
public final class SlowCode {
  private static final long LONG_NANOS = 50_000_000;

  /** So long after its start what is slow for once may only have loaded classes. */
  private static final long COLD_NANOS = 10_000_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Is told what took long, each time. */
  @FunctionalInterface
  public interface Listener {
    /** Code of users, in words, took so long. */
    void tookLong(String what, long tookNanos);
  }

  /** A method of a service that was called and has not returned. */
  public record Running(String method, long beganNanos) {}

  private final Complaints complaints;
  private final Set<String> slowWhenCold = new TreeSet<>();
  private volatile Listener listener = (what, tookNanos) -> {};
  private volatile LongSupplier nanoClock = () -> 0;
  private volatile long coldUntilNanos;
  private volatile @Nullable Running running;

  SlowCode(Complaints complaints) {
    this.complaints = complaints;
  }

  /** From now on it measures, and tells. */
  public void watch(LongSupplier clock, Listener told) {
    listener = told;
    coldUntilNanos = clock.getAsLong() + COLD_NANOS;
    nanoClock = clock;
  }

  /** When something begins, for {@link #read} or {@link #merged}. */
  long beginNanos() {
    return nanoClock.getAsLong();
  }

  /** A method of a service begins, or its arguments are made; when that is, for {@link #called}. */
  public long calls(String method) {
    long nowNanos = nanoClock.getAsLong();
    running = new Running(method, nowNanos);
    return nowNanos;
  }

  /** The method that has not returned; null if none is called. */
  public @Nullable Running running() {
    return running;
  }

  /** A write to the object has been read. */
  void read(StateObject<?, ?> object, long beganNanos) {
    long tookNanos = nanoClock.getAsLong() - beganNanos;
    if (tookNanos >= LONG_NANOS) {
      tookLong("to read a write into " + object, "constructors of records", tookNanos);
    }
  }

  /** A merge function has been called for an entry of the object. */
  void merged(StateObject<?, ?> object, String function, long beganNanos) {
    long tookNanos = nanoClock.getAsLong() - beganNanos;
    if (tookNanos >= LONG_NANOS) {
      tookLong("to merge by '" + function + "' into " + object, "merge functions", tookNanos);
    }
  }

  /** A method of a service has returned or thrown. */
  public void called(String method, long beganNanos) {
    running = null;
    long tookNanos = nanoClock.getAsLong() - beganNanos;
    if (tookNanos >= LONG_NANOS) {
      tookLong("method " + method, "methods of a service", tookNanos);
    }
  }

  private synchronized void tookLong(String what, String whose, long tookNanos) {
    listener.tookLong(what, tookNanos);
    boolean isCold = nanoClock.getAsLong() - coldUntilNanos < 0;
    if (!isCold || !slowWhenCold.add(what)) {
      complaints.add(
          what,
          () ->
              "%s took %d ms, and a node serves nothing else meanwhile: the machine was busy, or %s"
                      .formatted(what, tookNanos / NANOS_PER_MILLI, whose)
                  + " wait or compute for long, which they must not. Others are not logged");
    }
  }
}

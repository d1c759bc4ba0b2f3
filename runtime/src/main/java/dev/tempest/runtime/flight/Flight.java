package dev.tempest.runtime.flight;

import java.util.concurrent.TimeUnit;

/**
 * Tells Java Flight Recorder of what took long or went wrong. Where this Java has no recorder, or
 * nothing records, nothing happens: then it costs a look at a field.
 *
 * <p>Thread-safe.
 */
public final class Flight {
  /** What takes less is not slow. */
  private static final long SLOW_NANOS = 50_000_000;

  private static final boolean IS_THERE =
      ModuleLayer.boot().findModule("jdk.jfr").isPresent() && Events.isAvailable();

  private Flight() {}

  /** Whether anything is recorded. */
  public static boolean isOn() {
    return IS_THERE && Events.isOn();
  }

  /** A method of a service, or what is executed for collections, held the loop. */
  public static void slowMethod(String service, String method, long tookNanos) {
    if (isOn()) {
      Events.slowMethod(service, method, tookNanos);
    }
  }

  /** A request took so long from its arrival until it was executed here. */
  public static void request(String service, boolean update, long tookNanos) {
    if (tookNanos >= SLOW_NANOS && isOn()) {
      Events.slowRequest(service, update, tookNanos);
    }
  }

  /** Now, for {@link #call}; 0 while nothing is recorded. */
  public static long nanoTime() {
    return isOn() ? System.nanoTime() : 0;
  }

  /**
   * A call of a service has ended, and was slow or failed.
   *
   * @param failure how, in a word; nothing if its method was executed
   * @param beganNanos 0 if it began while nothing was recorded
   */
  public static void call(String service, String method, String failure, long beganNanos) {
    if (beganNanos != 0 && isOn()) {
      long tookNanos = System.nanoTime() - beganNanos;
      if (tookNanos >= SLOW_NANOS || !failure.isEmpty()) {
        Events.slowCall(service, method, failure, tookNanos);
      }
    }
  }

  /** A replica has come to the state of the others. */
  public static void stateTransfer(String service, String from, long updates, long tookNanos) {
    if (isOn()) {
      Events.stateTransfer(service, from, updates, tookNanos);
    }
  }

  /** A replica began to lead, or leads no more. */
  public static void leaderChange(String service, boolean leads) {
    if (isOn()) {
      Events.leaderChange(service, leads);
    }
  }

  /** So many requests were refused since it was said last, as too many were waiting. */
  public static void overload(long updates, long reads) {
    if (isOn()) {
      Events.overload(updates, reads);
    }
  }

  /** A checkpoint was written, or could not be. */
  public static void checkpoint(String service, boolean written, long beganMillis) {
    if (isOn()) {
      long tookMillis = System.currentTimeMillis() - beganMillis;
      Events.checkpoint(service, written, TimeUnit.MILLISECONDS.toNanos(tookMillis));
    }
  }
}

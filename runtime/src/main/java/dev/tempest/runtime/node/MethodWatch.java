package dev.tempest.runtime.node;

import dev.tempest.runtime.LogLines;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.SlowCode;
import dev.tempest.state.versioned.SlowCode.Running;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Names code of the application that does not return, a method of a service or what is executed for
 * collections: its process serves nothing meanwhile, and nobody else there could say why. What is
 * only slow is named when it returns.
 *
 * <p>Services come and go on any thread; one thread looks.
 */
final class MethodWatch implements Runnable {
  private static final System.Logger LOGGER = LogLines.logger(MethodWatch.class);
  private static final Duration LONG = Duration.ofSeconds(1);
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Thread loop;

  /** Not the services themselves: of a process whose memory they fill, they have to go. */
  private final Map<String, SlowCode> services = new ConcurrentHashMap<>();

  /** Of the replicas of collections. */
  private final Map<String, DeadlineLock> locks = new ConcurrentHashMap<>();

  private @Nullable Running told;
  private final Set<String> toldLocks = new HashSet<>();

  /** Of the services that run on this thread. */
  MethodWatch(Thread loop) {
    this.loop = loop;
  }

  void add(String name, ServiceInstance service) {
    services.put(name, service.slow());
  }

  /** Whoever executes what collections need holds the lock. */
  void add(String name, DeadlineLock lock) {
    locks.put(name, lock);
  }

  void remove(String name) {
    services.remove(name);
  }

  /** Looks until the thread has ended. */
  @Override
  public void run() {
    try {
      while (!loop.join(LONG)) {
        String complaint = look(System.nanoTime());
        if (complaint != null) {
          tell(complaint, loop.getStackTrace());
        }
        lookAtLocks();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** What is to be said; null if that is nothing, or has been said of this call. */
  @Nullable String look(long nowNanos) {
    for (Map.Entry<String, SlowCode> service : services.entrySet()) {
      Running running = service.getValue().running();
      if (running != null
          && !running.equals(told)
          && nowNanos - running.beganNanos() >= LONG.toNanos()) {
        told = running;
        long millis = (nowNanos - running.beganNanos()) / NANOS_PER_MILLI;
        return ("In %s, method %s has not returned for %d ms since its arguments began to be read,"
                + " and this process serves nothing meanwhile. If it never does, end this process"
                + " and start it again, with a method that neither waits nor computes for long")
            .formatted(service.getKey(), running.method(), millis);
      }
    }
    return null;
  }

  private void lookAtLocks() throws InterruptedException {
    for (Map.Entry<String, DeadlineLock> each : locks.entrySet()) {
      String name = each.getKey();
      Thread holder = each.getValue().heldFor(LONG.toNanos());
      if (holder == null) {
        toldLocks.remove(name);
      } else {
        StackTraceElement[] stack = holder.getStackTrace();
        StackTraceElement frame = UserFrame.of(stack);
        if (frame != null && toldLocks.add(name)) {
          tell(
              ("In %s, %s has not returned for %d ms, and this process serves nothing meanwhile. If"
                      + " it never does, end this process and start it again, with constructors of"
                      + " records and merge functions that neither wait nor compute for long")
                  .formatted(name, frame, LONG.toMillis()),
              stack);
        }
      }
    }
  }

  /** The process has closed, and the thread goes on. */
  void tellClosed() {
    StackTraceElement[] stack = loop.getStackTrace();
    StackTraceElement frame = UserFrame.of(stack);
    tell(
        "Closed, although %s has not returned".formatted(frame == null ? "what it runs" : frame),
        stack);
  }

  private static void tell(String complaint, StackTraceElement[] stack) {
    Throwable where = new IllegalStateException("it is here");
    where.setStackTrace(stack);
    LOGGER.log(Level.WARNING, complaint, where);
  }
}

package dev.tempest.runtime.node;

import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.SlowCode;
import dev.tempest.state.versioned.SlowCode.Running;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Names a method of a service that does not return: its process serves nothing meanwhile, and
 * nobody else there could say why. One that is only slow is named when it returns.
 *
 * <p>Services come and go on any thread; one thread looks.
 */
final class MethodWatch implements Runnable {
  private static final System.Logger LOGGER = System.getLogger(MethodWatch.class.getName());
  private static final Duration LONG = Duration.ofSeconds(1);
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Thread loop;

  /** Not the services themselves: of a process whose memory they fill, they have to go. */
  private final Map<String, SlowCode> services = new ConcurrentHashMap<>();

  private @Nullable Running told;

  /** Of the services that run on this thread. */
  MethodWatch(Thread loop) {
    this.loop = loop;
  }

  void add(String name, ServiceInstance service) {
    services.put(name, service.slow());
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
          Throwable where = new IllegalStateException("it is here");
          where.setStackTrace(loop.getStackTrace());
          LOGGER.log(Level.WARNING, complaint, where);
        }
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
        return ("In %s, method %s has not returned for %d ms, and this process serves nothing"
                + " meanwhile. If it never does, end this process and start it again, with a method"
                + " that neither waits nor computes for long")
            .formatted(service.getKey(), running.method(), millis);
      }
    }
    return null;
  }
}

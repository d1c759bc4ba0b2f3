package dev.tempest.bench.tempest;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.bench.load.ChildMain;
import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceTimes;
import dev.tempest.simulator.Timed;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A server that hosts services whose executions take time. */
public final class TimedServer {
  private TimedServer() {}

  /**
   * Serves until the parent is gone. Arguments: servers, multicast port, index of this one,
   * nanoseconds that an execution takes on average, kinds of the services.
   */
  public static void main(String[] args) throws IOException {
    long meanNanos = Long.parseLong(args[3]);
    List<ServiceKind> kinds = TimedServices.kinds(args[4]);
    try (Node node = Tempest.join(TempestArguments.server(args[0], args[1], args[2]))) {
      for (int service = 0; service < kinds.size(); service++) {
        long seed = 31L * Integer.parseInt(args[2]) + service;
        ServiceTimes times = new ServiceTimes(kinds.get(service), meanNanos, seed);
        node.host(
            TimedServices.name(service),
            Timed.class,
            state -> new Timed.Service(state, () -> spend(times)));
      }
      ChildMain.serve();
    }
  }

  private static void spend(ServiceTimes times) {
    ServiceTimes.Time time = times.next();
    long startNanos = System.nanoTime();
    while (System.nanoTime() - startNanos < time.computingNanos()) {
      Thread.onSpinWait();
    }
    long waitingFromNanos = System.nanoTime();
    long leftNanos = time.waitingNanos();
    while (leftNanos > 0) {
      LockSupport.parkNanos(leftNanos);
      leftNanos = time.waitingNanos() - (System.nanoTime() - waitingFromNanos);
    }
  }
}

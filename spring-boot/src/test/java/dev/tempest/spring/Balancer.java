package dev.tempest.spring;

import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives requests to instances in turn, each once: only where the connection is refused, to the next
 * one. As those of real deployments do, it takes an instance out before that is told to stop: what
 * a server has not accepted by then it resets, and nobody knows whether it ran.
 */
final class Balancer {
  private record Target(int port, AtomicInteger requests) {}

  private final List<Target> targets = new CopyOnWriteArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();

  void add(int port) {
    targets.add(new Target(port, new AtomicInteger()));
  }

  /** Waits for those requests that it has given to the instance. */
  void takeOut(int port) {
    Target gone = targets.stream().filter(each -> each.port() == port).findFirst().orElseThrow();
    targets.remove(gone);
    while (gone.requests().get() > 0) {
      Thread.onSpinWait();
    }
  }

  Client.Answer get(Client client, String path) throws IOException {
    for (int tries = 0; ; tries++) {
      Target target = enter();
      try {
        return client.get(path, target.port());
      } catch (ConnectException refused) {
        if (tries > targets.size()) {
          throw refused;
        }
      } finally {
        target.requests().decrementAndGet();
      }
    }
  }

  /** One that was not taken out before it was counted. */
  private Target enter() {
    while (true) {
      Object[] now = targets.toArray();
      Target target = (Target) now[Math.floorMod(turn.getAndIncrement(), now.length)];
      target.requests().incrementAndGet();
      if (targets.contains(target)) {
        return target;
      }
      target.requests().decrementAndGet();
    }
  }
}

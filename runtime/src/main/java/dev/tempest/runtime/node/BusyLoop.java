package dev.tempest.runtime.node;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.SignsOfLife;
import dev.tempest.runtime.transport.Aside;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EventLoop;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Message;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Says for a process whose loop executes for long that it is there, from a thread of its own. It is
 * silent where all of the process stands still.
 */
final class BusyLoop {
  /** How often it looks whether the loop is closed where no replica has said anything. */
  private static final long SELDOM_NANOS = 500_000_000;

  private final SignsOfLife signs = SignsOfLife.usual();
  private final Aside aside;
  private volatile @Nullable Thread watching;
  private volatile boolean hasSpoken;

  BusyLoop(Endpoint endpoint) {
    this.aside = endpoint.aside();
  }

  /** The loop says something for a replica. */
  void said(PeerAddress to, Message.OfLog message) {
    signs.said(to, message, System.nanoTime());
    if (!hasSpoken) {
      hasSpoken = true;
      LockSupport.unpark(watching);
    }
  }

  /** Looks until the loop is closed. */
  void watch(EventLoop loop) {
    watching = Thread.currentThread();
    while (!loop.isClosed()) {
      LockSupport.parkNanos(hasSpoken ? signs.heartbeatNanos() : SELDOM_NANOS);
      long busySinceNanos = loop.busySinceNanos();
      if (busySinceNanos != EventLoop.NOT_BUSY) {
        List<Effect.Send> again = signs.again(busySinceNanos, System.nanoTime());
        again.forEach(sign -> aside.send((PeerAddress) sign.to(), sign.message()));
        aside.flush();
      }
    }
  }
}

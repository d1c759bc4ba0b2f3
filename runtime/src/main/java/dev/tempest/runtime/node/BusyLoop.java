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
  /** For so long after a replica has said something it looks often: longer than any signs. */
  private static final long LOOKS_NANOS = 15_000_000_000L;

  /** How often it looks whether the loop is closed where no replica says anything. */
  private static final long SELDOM_NANOS = 500_000_000;

  private final SignsOfLife signs = SignsOfLife.usual();
  private final Aside aside;
  private volatile @Nullable Thread watching;
  private volatile long saidNanos = System.nanoTime() - LOOKS_NANOS;

  BusyLoop(Endpoint endpoint) {
    this.aside = endpoint.aside();
  }

  /** The loop says something for a replica. */
  void said(PeerAddress to, Message.OfLog message) {
    long nowNanos = System.nanoTime();
    signs.said(to, message, nowNanos);
    boolean wasQuiet = nowNanos - saidNanos >= LOOKS_NANOS;
    saidNanos = nowNanos;
    if (wasQuiet) {
      LockSupport.unpark(watching);
    }
  }

  /** Looks until the loop is closed. */
  void watch(EventLoop loop) {
    watching = Thread.currentThread();
    while (!loop.isClosed()) {
      boolean isQuiet = System.nanoTime() - saidNanos >= LOOKS_NANOS;
      LockSupport.parkNanos(isQuiet ? SELDOM_NANOS : signs.heartbeatNanos());
      long busySinceNanos = loop.busySinceNanos();
      if (busySinceNanos != EventLoop.NOT_BUSY) {
        List<Effect.Send> again = signs.again(busySinceNanos, System.nanoTime());
        again.forEach(sign -> aside.send((PeerAddress) sign.to(), sign.message()));
        aside.flush();
      }
    }
  }
}

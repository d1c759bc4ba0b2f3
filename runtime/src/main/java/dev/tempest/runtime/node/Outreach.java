package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.membership.Members;
import dev.tempest.protocol.membership.Occupant;
import dev.tempest.runtime.LogLines;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.Knocks;
import dev.tempest.runtime.transport.PeerAddress;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Does what membership wants done: sends messages, and finds out who lives where nobody answers.
 * Owned by the event loop.
 */
final class Outreach implements AutoCloseable {
  private static final System.Logger LOGGER = LogLines.logger(Outreach.class);

  /** Whoever answers within it is no news. */
  private static final long TELL_AFTER_NANOS = 1_000_000_000L;

  private static final long TELL_AGAIN_NANOS = 20_000_000_000L;

  private record Found(PeerAddress at, Occupant occupant) {}

  private final Endpoint endpoint;
  private final Members members;
  private final @Nullable InetSocketAddress discovery;
  private final Queue<Found> found = new ConcurrentLinkedQueue<>();
  private final Knocks knocks;
  private boolean awaits;
  private long tellNanos;

  /**
   * As {@code members} wants.
   *
   * @param discovery where members announce themselves; null for nowhere
   */
  Outreach(Endpoint endpoint, Members members, @Nullable InetSocketAddress discovery) {
    this.endpoint = endpoint;
    this.members = members;
    this.discovery = discovery;
    this.knocks = endpoint.knocks(this::found);
  }

  private void found(PeerAddress at, Occupant occupant) {
    found.add(new Found(at, occupant));
    endpoint.wakeup();
  }

  /** Sends, and begins to find out. */
  void perform(List<Members.Effect> effects) {
    for (Members.Effect effect : effects) {
      switch (effect) {
        case Members.Effect.Send(Address to, var message) ->
            endpoint.send((PeerAddress) to, message);
        case Members.Effect.Announce(var message) -> {
          if (discovery != null) {
            endpoint.multicast(discovery, List.of(), message);
          }
        }
        case Members.Effect.Knock(Address at) -> knocks.knock((PeerAddress) at);
      }
    }
  }

  /** Takes in what was found out, and lets others find out what this process is. */
  void look(long nowNanos) {
    for (Found next = found.poll(); next != null; next = found.poll()) {
      perform(members.step(new Members.Event.Knocked(nowNanos, next.at(), next.occupant())));
    }
    endpoint.member(members.phase() == Members.Phase.ACTIVE);
    List<Address> awaited = members.awaited();
    if (members.phase() == Members.Phase.PROBING) {
      tell(awaited, nowNanos);
    } else if (awaited.isEmpty()) {
      knocks.stop();
    }
  }

  /** People are to know why a process does not start. */
  private void tell(List<Address> awaited, long nowNanos) {
    if (awaited.isEmpty() || !awaits) {
      awaits = !awaited.isEmpty();
      tellNanos = nowNanos + TELL_AFTER_NANOS;
    } else if (nowNanos >= tellNanos) {
      tellNanos = nowNanos + TELL_AGAIN_NANOS;
      LOGGER.log(
          Level.WARNING,
          "A process listens at {0} and does not answer. It may have what this process looks for,"
              + " so this one waits for it, as long as a silent member stays one. Is it busy or"
              + " suspended, or does a firewall stop UDP? If it is no process of this cluster, stop"
              + " it or let this one look elsewhere",
          awaited);
    }
  }

  @Override
  public void close() {
    knocks.close();
  }
}

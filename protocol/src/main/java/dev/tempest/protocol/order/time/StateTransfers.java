package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.Message.Snapshot;
import dev.tempest.wire.Message.StateRequest;
import dev.tempest.wire.Message.StateTransfer;
import dev.tempest.wire.Message.StateUnavailable;
import java.util.List;

/**
 * Gives whole states to replicas that ask for them, and asks for those of others.
 *
 * <p>Does not decide whose state counts, and takes none.
 */
final class StateTransfers {
  /** The largest state that a transfer carries. */
  static final int STATE_BYTES_MAX = 200 << 20;

  private final ReplicaSettings settings;
  private final ServiceInstance service;
  private final View view;
  private final Window window;
  private final ReplicaClock clock;
  private long askAgainNanos;
  private long offerAgainNanos;

  StateTransfers(
      ReplicaSettings settings,
      ServiceInstance service,
      View view,
      Window window,
      ReplicaClock clock) {
    this.settings = settings;
    this.service = service;
    this.view = view;
    this.window = window;
    this.clock = clock;
    this.askAgainNanos = clock.nowNanos();
    this.offerAgainNanos = clock.nowNanos();
  }

  /** Answers a request for the state; tools ask too, and are no members. */
  void requested(Address from, boolean active, List<Effect> effects) {
    effects.add(
        new Effect.Send(
            from, active ? transfer() : new StateUnavailable(settings.service(), settings.self())));
  }

  /** Asks another replica for its state, but not again and again while it may be on its way. */
  void ask(long other, List<Effect> effects) {
    if (clock.nowNanos() >= askAgainNanos) {
      askAgainNanos = clock.nowNanos() + Joining.ASK_AGAIN_MILLIS * ReplicaClock.NANOS_PER_MILLI;
      view.send(other, new StateRequest(settings.service(), settings.self()), effects);
    }
  }

  /** Sends the state to another replica that has not asked for it, now and then. */
  void offer(long other, List<Effect> effects) {
    if (clock.nowNanos() >= offerAgainNanos) {
      offerAgainNanos = clock.nowNanos() + Joining.ASK_AGAIN_MILLIS * ReplicaClock.NANOS_PER_MILLI;
      view.send(other, transfer(), effects);
    }
  }

  private StateTransfer transfer() {
    ByteWriter writer = new ByteWriter(STATE_BYTES_MAX);
    service.writeVersion(window.base(), writer);
    Snapshot snapshot =
        new Snapshot(
            window.settled(),
            window.history().prefixes(),
            writer.toBytes(),
            window.clients().records(),
            window.entries());
    return new StateTransfer(settings.service(), settings.self(), snapshot);
  }
}

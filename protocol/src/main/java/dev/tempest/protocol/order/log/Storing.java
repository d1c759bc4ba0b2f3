package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.Message.OfLog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a replica has stored so that its next life goes on with it. Not thread-safe. */
final class Storing {
  private final long serviceId;
  private final View view;
  private final ServiceInstance service;
  private final int pieceBytes;

  /** The state in place of the log before it, until that is stored; null for none. */
  private @Nullable Checkpoint unstored;

  Storing(long serviceId, View view, ServiceInstance service, int pieceBytes) {
    this.serviceId = serviceId;
    this.view = view;
    this.service = service;
    this.pieceBytes = pieceBytes;
  }

  /** A state, with which a log can begin. */
  Checkpoint checkpoint(LogState state) {
    return new CheckpointByConsensus(serviceId, view.self(), service, state, pieceBytes);
  }

  /** The log begins with this state from now on. */
  void installed(LogState state) {
    unstored = checkpoint(state);
  }

  /** Has stored what is said then. */
  void add(Consensus.Effect.Vow vow, OfLog message, List<Effect> effects) {
    Address to = view.address(vow.to());
    List<Effect.Send> sends = to == null ? List.of() : List.of(new Effect.Send(to, message));
    effects.add(new Effect.Persist(unstored, vow.stored(), sends));
    unstored = null;
  }
}

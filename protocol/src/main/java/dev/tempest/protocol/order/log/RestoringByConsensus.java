package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Applied;
import dev.tempest.protocol.order.ClientAssembly;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Restored;
import dev.tempest.protocol.order.Restoring;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.LogMessage.StatePart;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Message.StateOffer;
import dev.tempest.wire.Piece;
import org.jspecify.annotations.Nullable;

/** Makes a state of the pieces of a {@link CheckpointByConsensus}. Not thread-safe. */
public final class RestoringByConsensus implements Restoring {
  private final long service;
  private final Assembly assembly;
  private final ClientAssembly clients = new ClientAssembly();
  private @Nullable LogPoint point;

  /** Which replica has written it; 0 until something is taken. */
  private long writer;

  /**
   * Nothing was taken yet.
   *
   * @param service the stable hash of the service's name
   */
  public RestoringByConsensus(long service, ServiceInstance instance) {
    this.service = service;
    this.assembly = instance.assembly(instance.emptyVersion(), Integer.MAX_VALUE);
  }

  @Override
  public void take(Bytes piece) {
    for (Message message : FrameCodec.read(piece.reader()).messages()) {
      boolean isNext =
          message instanceof OfLog(long of, long replica, StatePart(LogPoint at, Piece next))
              && of == service
              && (point == null || (point.equals(at) && writer == replica))
              && take(replica, at, next);
      if (message instanceof StateOffer && point == null) {
        throw new MalformedException(
            "it was written with consistency: eventual, and here it is linearizable");
      }
      if (!isNext) {
        throw new MalformedException("a piece of the state is not the one that should follow");
      }
    }
  }

  private boolean take(long replica, LogPoint at, Piece piece) {
    writer = replica;
    point = at;
    return switch (piece) {
      case Piece.OfVersion(Bytes bytes) -> !assembly.isComplete() && assembly.take(bytes);
      case Piece.OfClients some -> assembly.isComplete() && clients.take(some);
      case Piece.OfEntries entries -> false;
    };
  }

  @Override
  public Restored restored(int replicas) {
    LogPoint at = point;
    ClientTable table = clients.table();
    if (at == null || table == null) {
      throw new MalformedException("pieces of the state are missing");
    }
    LogState state = new LogState(at, new Applied(assembly.version(), table));
    return RestoredByConsensus.of(state, writer);
  }
}

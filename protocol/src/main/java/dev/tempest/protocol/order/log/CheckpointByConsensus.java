package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.LogMessage.StatePart;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Piece;
import dev.tempest.wire.Wish;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint of a replica ordered by consensus: what its log has led to. Its pieces are frames,
 * as if the state travelled: of the version, then of the client table.
 */
record CheckpointByConsensus(
    long serviceId, long replica, ServiceInstance service, LogState state, int pieceBytes)
    implements Checkpoint {
  @Override
  public int replicas() {
    return state.point().members().size();
  }

  @Override
  public long executed() {
    return state.point().executed();
  }

  @Override
  public Long mark() {
    return state.point().slot();
  }

  @Override
  public Iterator<Bytes> pieces() {
    return new Walk();
  }

  private final class Walk implements Iterator<Bytes> {
    private @Nullable Wish next = new Wish.OfVersion(Assembly.FIRST_WISH);

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Bytes next() {
      Piece piece =
          switch (next) {
            case Wish.OfVersion(Bytes wish) -> ofVersion(wish);
            case Wish.OfClients(long from) -> ofClients(from);
            case Wish.OfEntries none -> throw new NoSuchElementException();
            case null -> throw new NoSuchElementException();
          };
      ByteWriter writer = new ByteWriter(FrameCodec.MAX_FRAME_BYTES);
      FrameCodec.begin(writer, 0, 0);
      FrameCodec.add(writer, new OfLog(serviceId, replica, new StatePart(state.point(), piece)));
      FrameCodec.end(writer);
      return writer.toBytes();
    }

    private Piece ofVersion(Bytes wish) {
      Bytes bytes = service.piece(state.applied().version(), wish, pieceBytes);
      Bytes further = Assembly.wishAfter(bytes);
      next = further == null ? new Wish.OfClients(0) : new Wish.OfVersion(further);
      return new Piece.OfVersion(bytes);
    }

    private Piece ofClients(long from) {
      Piece.OfClients piece = LogStates.ofClients(state.applied().clients(), from, pieceBytes);
      next = piece.isLast() ? null : new Wish.OfClients(piece.nextFrom());
      return piece;
    }
  }
}

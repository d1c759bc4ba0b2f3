package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.Applied;
import dev.tempest.protocol.order.ClientAssembly;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Restored;
import dev.tempest.protocol.order.Restoring;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.state.versioned.StateHashes;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Entry;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Digest;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Message.StateOffer;
import dev.tempest.wire.Message.StatePiece;
import dev.tempest.wire.Piece;
import dev.tempest.wire.Wish;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a {@link Snapshot} of the pieces of a {@link CheckpointByTime}. Not thread-safe. */
public final class RestoringByTime implements Restoring {
  private final long service;
  private final Epochs epochs;
  private final Assembly assembly;
  private final StateHashes hashes;
  private final ClientAssembly clients = new ClientAssembly();
  private final List<Entry> entries = new ArrayList<>();
  private @Nullable StateOffer offer;
  private @Nullable Digest digest;
  private boolean hasEntries;

  /**
   * Nothing was taken yet.
   *
   * @param service the stable hash of the service's name
   * @param epochs as in the settings of the replica
   */
  public RestoringByTime(long service, Epochs epochs, ServiceInstance instance) {
    this.service = service;
    this.epochs = epochs;
    this.assembly = instance.assembly(instance.emptyVersion(), Integer.MAX_VALUE);
    this.hashes = instance.hashes();
  }

  @Override
  public void take(Bytes piece) {
    for (Message message : FrameCodec.read(piece.reader()).messages()) {
      boolean isNext =
          switch (message) {
            case StateOffer first -> first.service() == service && take(first);
            case Digest next -> next.service() == service && take(next);
            case StatePiece next ->
                next.service() == service && offer != null && take(next.piece());
            default -> false;
          };
      if (message instanceof OfLog && offer == null) {
        throw new MalformedException(
            "it was written with consistency: linearizable, and here it is eventual");
      }
      if (!isNext) {
        throw new MalformedException("a piece of the state is not the one that should follow");
      }
    }
  }

  private boolean take(StateOffer first) {
    boolean isFirst = offer == null;
    offer = first;
    return isFirst;
  }

  private boolean take(Digest next) {
    boolean isNext = offer != null && digest == null && clients.table() == null;
    digest = next;
    return isNext;
  }

  private boolean take(Piece piece) {
    return switch (piece) {
      case Piece.OfVersion(Bytes bytes) -> !assembly.isComplete() && takeOfVersion(bytes);
      case Piece.OfClients some -> assembly.isComplete() && clients.take(some);
      case Piece.OfEntries(var after, var more, boolean isLast) -> {
        boolean isNext =
            clients.table() != null
                && !hasEntries
                && StateGiver.follow(more, Wish.OfEntries.after(entries));
        entries.addAll(more);
        hasEntries = isLast;
        yield isNext;
      }
    };
  }

  private boolean takeOfVersion(Bytes piece) {
    boolean isNext = assembly.take(piece);
    hashes.advance(assembly.version());
    return isNext;
  }

  @Override
  public Restored restored(int replicas) {
    StateOffer first = offer;
    ClientTable table = clients.table();
    if (first == null || table == null || !hasEntries) {
      throw new MalformedException("pieces of the state are missing");
    }
    Applied state = new Applied(assembly.version(), table);
    return new RestoredByTime(
        first.replica(),
        Snapshot.of(
            first.settled(),
            first.past(),
            state,
            hashes,
            first.kept(),
            entries,
            epochs.lengthMillis()),
        digest == null ? -1 : digest.closed().throughEpoch(),
        replicas);
  }
}

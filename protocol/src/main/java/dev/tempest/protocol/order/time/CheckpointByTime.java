package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.Applied;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Entry;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Kept;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Digest;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.StateOffer;
import dev.tempest.wire.Message.StatePiece;
import dev.tempest.wire.Past;
import dev.tempest.wire.Piece;
import dev.tempest.wire.Wish;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint of a replica ordered by time. Its pieces are frames, as if the state travelled: an
 * offer, maybe a digest, then the pieces of the settled version, of the client table, and of the
 * entries: those that are kept of the settled ones, and those that have not settled.
 *
 * @param all what was executed, settled or not
 * @param digest through the epoch through which others may mean something else by this replica's
 *     name; null if that makes no difference
 * @param kept which settled entries are kept
 * @param keptEntries those, in order
 * @param unsettled the entries after the settled state, in order
 */
record CheckpointByTime(
    ReplicaSettings settings,
    ServiceInstance service,
    int replicas,
    Prefix all,
    @Nullable Digest digest,
    Prefix settled,
    Past past,
    Applied state,
    Kept kept,
    List<Entry> keptEntries,
    List<Entry> unsettled)
    implements Checkpoint {

  /** Of what a replica has now. */
  static CheckpointByTime of(
      ReplicaSettings settings,
      ServiceInstance service,
      int replicas,
      Window window,
      Merger merger,
      Divergence divergence) {
    return new CheckpointByTime(
        settings,
        service,
        replicas,
        window.through(Long.MAX_VALUE),
        digest(settings, window, merger.apartThrough(), divergence),
        window.settled(),
        merger.past(),
        new Applied(window.base(), window.clients()),
        merger.kept(),
        List.copyOf(merger.keptEntries()),
        window.entries());
  }

  private static @Nullable Digest digest(
      ReplicaSettings settings, Window window, long apartThrough, Divergence divergence) {
    if (apartThrough < Math.max(0, window.history().lastEpoch())) {
      return null;
    }
    Prefix settled = window.settled();
    Prefix closed = window.through(Math.max(apartThrough, settled.throughEpoch()));
    return new Digest(
        settings.service(),
        settings.self(),
        settled,
        closed,
        divergence.stateHash(),
        closed.throughEpoch(),
        List.of());
  }

  @Override
  public long executed() {
    return all.count();
  }

  /** That something has settled is nothing new. */
  record Mark(long count, long hash, int replicas) {}

  @Override
  public Mark mark() {
    return new Mark(all.count(), all.hash(), replicas);
  }

  @Override
  public Iterator<Bytes> pieces() {
    return new Walk();
  }

  private final class Walk implements Iterator<Bytes> {
    private boolean isOffered;
    private @Nullable Digest digestToCome = digest;
    private @Nullable Wish next = new Wish.OfVersion(Assembly.FIRST_WISH);
    private final Iterator<Entry> entries =
        Stream.concat(keptEntries.stream(), unsettled.stream()).iterator();

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Bytes next() {
      if (!isOffered) {
        isOffered = true;
        return frame(new StateOffer(settings.service(), settings.self(), settled, past, kept));
      }
      Digest toCome = digestToCome;
      if (toCome != null) {
        digestToCome = null;
        return frame(toCome);
      }
      Piece piece =
          switch (next) {
            case Wish.OfVersion(Bytes wish) -> ofVersion(wish);
            case Wish.OfClients(long from) -> ofClients(from);
            case Wish.OfEntries after -> ofEntries(after);
            case null -> throw new NoSuchElementException();
          };
      return frame(new StatePiece(settings.service(), settings.self(), settled, piece));
    }

    private Piece ofVersion(Bytes wish) {
      Piece.OfVersion piece = StateGiver.ofVersion(settings, service, state.version(), wish);
      Bytes further = Assembly.wishAfter(piece.bytes());
      next = further == null ? new Wish.OfClients(0) : new Wish.OfVersion(further);
      return piece;
    }

    private Piece ofClients(long from) {
      Piece.OfClients piece = StateGiver.ofClients(settings, state.clients(), from);
      next = piece.isLast() ? Wish.OfEntries.ALL : new Wish.OfClients(piece.nextFrom());
      return piece;
    }

    private Piece ofEntries(Wish.OfEntries after) {
      List<Entry> some = new ArrayList<>();
      long sizeBytes = 0;
      while (entries.hasNext() && sizeBytes < settings.limits().pieceBytes()) {
        Entry entry = entries.next();
        some.add(entry);
        sizeBytes += Writes.sizeBytes(entry);
      }
      boolean isLast = !entries.hasNext();
      next = isLast ? null : Wish.OfEntries.after(some);
      return new Piece.OfEntries(after, some, isLast);
    }

    private static Bytes frame(Message message) {
      ByteWriter writer = new ByteWriter(FrameCodec.MAX_FRAME_BYTES);
      FrameCodec.begin(writer, 0, 0);
      FrameCodec.add(writer, message);
      FrameCodec.end(writer);
      return writer.toBytes();
    }
  }
}

package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A version of somebody else in the making, from {@link VersionedState#piece pieces}, one after the
 * other. Begins with what is here already: of that, only what differs travels. It does not matter
 * who gives a piece; if they give them of different versions, the result is a mixture, and {@link
 * #again} takes what is lacking.
 *
 * <p>Not thread-safe.
 */
public final class Assembly {
  /** What somebody asks for first who has nothing. */
  public static final Bytes FIRST_WISH = Pieces.wish(Mark.START);

  /** So many ranges at most are compared at once. */
  private static final int RANGES_MAX = 128;

  /** A range has at least so many entries, if it is not larger than a share of a piece. */
  private static final int RANGE_ENTRIES = 16;

  private static final int RANGES_OF_PIECE = 4;

  private final Schema schema;
  private final int rangeMaxBytes;
  private final ByteWriter scratch = new ByteWriter(Integer.MAX_VALUE);
  private Version version;
  private Mark at = Mark.START;

  /** What is asked for now, once somebody wants to know. */
  private @Nullable Bytes wish;

  Assembly(Schema schema, Version own, int enoughBytes) {
    this.schema = schema;
    this.version = own;
    this.rangeMaxBytes = enoughBytes / RANGES_OF_PIECE;
  }

  /** What to ask for next. */
  public Bytes wish() {
    Bytes made = wish;
    if (made == null) {
      made = makeWish();
      wish = made;
    }
    return made;
  }

  private Bytes makeWish() {
    ByteWriter wish = new ByteWriter(Integer.MAX_VALUE);
    wish.writeVarint(Pieces.LAYOUT);
    at.write(wish);
    VersionWalk walk = new VersionWalk(version, at);
    for (int i = 0; i < RANGES_MAX && !walk.isOver(); i++) {
      writeRange(walk, wish);
    }
    return wish.toBytes();
  }

  /** What to ask for next after a piece, for those who have nothing; null if it was the last. */
  public static @Nullable Bytes wishAfter(Bytes piece) {
    ByteReader reader = piece.reader();
    Pieces.readLayout(reader);
    reader.readInt();
    Mark.read(reader);
    Mark through = Mark.read(reader);
    return through.equals(Mark.END) ? null : Pieces.wish(through);
  }

  /** Whether the last piece was taken. */
  public boolean isComplete() {
    return at.equals(Mark.END);
  }

  /** Begins once more, with all that was taken so far. */
  public void again() {
    wish = null;
    at = Mark.START;
  }

  /** What was taken so far, with what was here of the rest. */
  public Version version() {
    return version;
  }

  /**
   * Takes a piece.
   *
   * @return false if it is not the one that was asked for
   * @throws MalformedException if it is no piece of this state; then it is as if it had not come
   */
  public boolean take(Bytes piece) {
    ByteReader reader = piece.reader();
    Pieces.readLayout(reader);
    // One for an earlier life of this process leaves out what that had.
    if (reader.readInt() != wish().stableHash() || !Mark.read(reader).equals(at)) {
      return false;
    }
    Mark through = Mark.read(reader);
    Mark from = at;
    Version before = version;
    version = schema.upgrade(version);
    try {
      while (reader.remaining() > 0) {
        takePart(reader);
      }
      if (!at.equals(through) || at.equals(from)) {
        throw new MalformedException("a piece does not end where it says");
      }
      wish = null;
      return true;
    } catch (MalformedException | UnreadableStateException refused) {
      at = from;
      version = before;
      if (refused instanceof MalformedException malformed) {
        schema.complain(malformed);
      }
      throw refused;
    }
  }

  private void writeRange(VersionWalk walk, ByteWriter wish) {
    long sum = 0;
    int entries = 0;
    int bytes = 0;
    Mark through = Mark.END;
    boolean isFull = false;
    while (!isFull && !walk.isOver()) {
      scratch.reset();
      walk.write(scratch);
      sum += Pieces.sum(walk.object(), scratch.array(), 0, scratch.size());
      bytes += scratch.size();
      entries++;
      isFull = walk.mayEnd() && (entries >= RANGE_ENTRIES || bytes >= rangeMaxBytes);
      if (isFull) {
        through = walk.mark();
      }
      walk.next();
    }
    (walk.isOver() ? Mark.END : through).write(wish);
    wish.writeLong(sum);
  }

  private void takePart(ByteReader reader) {
    int part = reader.readByte();
    Mark through = Mark.read(reader);
    if (part == Pieces.OTHER) {
      Object[] roots = schema.roots(version);
      clear(roots, through);
      version = new Version(schema, version.generation, readItems(roots, reader));
    } else if (part != Pieces.SAME) {
      throw new MalformedException("a piece has a part of kind " + part);
    }
    at = through;
  }

  /** Takes away all that is here up to a mark. */
  private void clear(Object[] roots, Mark through) {
    for (StateObject<?, ?> any : schema.byName()) {
      StateObject<Object, Object> object = Schema.cast(any);
      int fromHere = at.compareTo(object);
      int toThere = through.compareTo(object);
      boolean isAhead = fromHere < 0 || (fromHere == 0 && at.place().size() > 0);
      if (isAhead && toThere >= 0) {
        boolean isLast = toThere == 0 && through.place().size() > 0;
        roots[object.index] =
            object.cleared(
                roots[object.index],
                fromHere == 0 ? at.place() : Bytes.EMPTY,
                isLast ? through.place() : null);
      }
    }
  }

  private Object[] readItems(Object[] before, ByteReader reader) {
    Object[] roots = before;
    StateObject<Object, Object> object = null;
    for (int item = reader.readByte(); item != Pieces.END; item = reader.readByte()) {
      if (item == Pieces.COLLECTION) {
        object = schema.readHead(reader);
        if (object.index >= roots.length) { // Declared by these bytes.
          roots = Arrays.copyOf(roots, object.index + 1);
          roots[object.index] = object.emptyRoot();
        }
      } else if (item == Pieces.ENTRY && object != null) {
        roots[object.index] = object.readEntry(roots[object.index], reader);
      } else {
        throw new MalformedException("a piece has an item of kind " + item);
      }
    }
    return roots;
  }
}

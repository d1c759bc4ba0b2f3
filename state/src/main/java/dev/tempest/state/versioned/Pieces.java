package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A version in pieces: whoever wants it asks for what follows a {@link Mark}, and says what it has
 * there by itself, as sums over short ranges; where the sums agree, nothing travels. Pieces of
 * different versions fit together: of what they disagree on, the next walk takes what is new.
 *
 * <p>A wish and a piece are, all numbers varints unless said otherwise:
 *
 * <pre>
 * wish:  2 mark range*             the layout; after which mark; and through which marks
 *   range: mark sum                the sum 8 bytes
 * piece: 2 hash mark mark part*    the layout; the stable hash of the wish, 4 bytes; after which mark,
 *                                  through which; and what lies between
 *   part:  1 mark                  through the mark the wish has it right
 *          2 mark item* 0          through the mark there is this, and nothing else
 *   item:  1 name kind             the entries to come are of this collection
 *          2 entry                 key and slot, of a counter its value, zigzag
 * mark:    name kind place         place: length and bytes
 * </pre>
 *
 * <p>Name, kind, key and slot are those of {@link Schema}.
 */
final class Pieces {
  static final int LAYOUT = 2;
  static final int SAME = 1;
  static final int OTHER = 2;
  static final int END = 0;
  static final int COLLECTION = 1;
  static final int ENTRY = 2;

  /** A piece as large as they are on the wire, its last entry included, has room at once. */
  private static final int FIRST_BYTES_MAX = 68 << 10;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * What somebody has between two marks.
   *
   * @param through the later one; the earlier one is that of the range before
   */
  record Range(Mark through, long sum) {}

  private static final Range NOTHING = new Range(Mark.END, 0);

  private final VersionWalk walk;
  private final int enoughBytes;

  /** The parts, and the items of one more; what is known only behind them is inserted. */
  private final ByteWriter writer;

  /** What is inserted. */
  private final ByteWriter head = new ByteWriter(Integer.MAX_VALUE);

  private Mark through;

  private Pieces(Version version, Mark after, int enoughBytes) {
    this.walk = new VersionWalk(version, after);
    this.enoughBytes = enoughBytes;
    int firstBytes = (int) Math.min(enoughBytes + enoughBytes / 16L, FIRST_BYTES_MAX);
    this.writer = new ByteWriter(EntryLimit.PIECE_MAX_BYTES, firstBytes);
    this.through = after;
  }

  /**
   * The piece that somebody wishes for.
   *
   * @param enoughBytes beyond it a piece ends as soon as it can
   * @throws MalformedException if this is no wish
   * @throws dev.tempest.values.TooLargeException if entries that cannot be told apart, or a single
   *     one, exceed {@link EntryLimit#PIECE_MAX_BYTES}
   */
  static Bytes piece(Version version, Bytes wish, int enoughBytes) {
    ByteReader reader = wish.reader();
    readLayout(reader);
    Mark after = Mark.read(reader);
    List<Range> ranges = new ArrayList<>();
    while (reader.remaining() > 0) {
      Mark through = Mark.read(reader);
      ranges.add(new Range(through, reader.readLong()));
    }
    Pieces piece = new Pieces(version, after, enoughBytes);
    piece.add(ranges.isEmpty() ? List.of(NOTHING) : ranges);
    return piece.end(wish.stableHash(), after);
  }

  static void readLayout(ByteReader reader) {
    long layout = reader.readVarint();
    if (layout != LAYOUT) {
      throw new MalformedException(
          "unknown layout of a piece: " + Long.toUnsignedString(layout) + ", not " + LAYOUT);
    }
  }

  /** The wish of somebody who has nothing after a mark. */
  static Bytes wish(Mark after) {
    ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
    writer.writeVarint(LAYOUT);
    after.write(writer);
    return writer.toBytes();
  }

  /** What an entry adds to the sum of its range. */
  static long sum(StateObject<?, ?> object, byte[] bytes, int from, int to) {
    long sum = object.nameHash + (to - from);
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      sum = SplitMix.mix(sum ^ (long) LONGS.get(bytes, at));
    }
    long rest = 1;
    for (; at < to; at++) {
      rest = rest << Byte.SIZE | (bytes[at] & 0xFF);
    }
    return SplitMix.mix(sum ^ rest);
  }

  /** As many of the ranges as a piece has room for. */
  private void add(List<Range> ranges) {
    Mark same = null;
    for (Range range : ranges) {
      Mark end = range.through();
      int before = writer.size();
      long sum = gather(end);
      boolean isWhole = through.equals(end);
      if (isWhole && sum == range.sum()) {
        writer.truncate(before);
        same = end;
        continue;
      }
      head.reset();
      addSame(same);
      same = null;
      head.writeByte(OTHER);
      through.write(head);
      writer.insert(before, head);
      writer.writeByte(END);
      if (!isWhole || writer.size() >= enoughBytes) {
        return;
      }
    }
    head.reset();
    addSame(same);
    writer.insert(writer.size(), head);
  }

  private void addSame(@Nullable Mark mark) {
    if (mark != null) {
      head.writeByte(SAME);
      mark.write(head);
    }
  }

  private Bytes end(int wishHash, Mark after) {
    head.reset();
    head.writeVarint(LAYOUT);
    head.writeInt(wishHash);
    after.write(head);
    through.write(head);
    writer.insert(0, head);
    return writer.toBytes();
  }

  /** Gathers what lies before a mark, or so much of it as is enough; returns its sum. */
  private long gather(Mark mark) {
    long sum = 0;
    StateObject<?, ?> collection = null;
    boolean isEnough = false;
    int before = writer.size();
    through = mark;
    while (!isEnough && !walk.isOver() && walk.isThrough(mark)) {
      if (walk.object() != collection) {
        collection = walk.object();
        writer.writeByte(COLLECTION);
        Schema.writeHead(collection, writer);
      }
      writer.writeByte(ENTRY);
      int from = writer.size();
      walk.write(writer);
      sum += sum(collection, writer.array(), from, writer.size());
      isEnough = writer.size() - before >= enoughBytes && walk.mayEnd();
      if (isEnough) {
        through = walk.mark();
      }
      walk.next();
    }
    return sum;
  }
}

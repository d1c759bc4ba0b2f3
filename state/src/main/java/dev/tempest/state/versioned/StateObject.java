package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.StableHash;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One declared collection: everything that can be done with its root in a version, and with the
 * writes to it in a change. Immutable and thread-safe.
 *
 * @param <R> its root in a version: the immutable contents
 * @param <W> the writes of a change to it, immutable
 */
abstract sealed class StateObject<R, W> permits KeyedObject, CounterObject {
  /** What a collection is; the code stands in encoded versions and changes. */
  enum Kind {
    MAP(1, "map"),
    SET(2, "set"),
    COUNTER(3, "counter"),
    SORTED_MAP(4, "sorted map"),
    SORTED_SET(5, "sorted set"),
    LIST(6, "list"),
    DEQUE(7, "deque"),
    VALUE(8, "value");

    private static final List<Kind> ALL = List.of(values());

    final int code;
    final String word;

    Kind(int code, String word) {
      this.code = code;
      this.word = word;
    }

    /** The one with that code, null if there is none. */
    static @Nullable Kind ofCode(int code) {
      for (Kind kind : ALL) {
        if (kind.code == code) {
          return kind;
        }
      }
      return null;
    }

    /** Whether its entries are in the order of the keys, and not in that of their hashes. */
    boolean isSorted() {
      return this != MAP && this != SET;
    }
  }

  final Kind kind;
  final String name;

  /** Its place in versions and changes of its state, in this process only. */
  final int index;

  /** In the upper half a hash of kind and name, the same in every process; 0 in the lower half. */
  final long nameHash;

  /** The generation of the schema that it was declared in: roots of earlier ones are adopted. */
  final int generation;

  StateObject(Kind kind, String name, int index, int generation) {
    this.kind = kind;
    this.name = name;
    this.index = index;
    this.nameHash = (long) StableHash.ofName(kind.code + name) << Integer.SIZE;
    this.generation = generation;
  }

  /** Whether it is the same object, with all types alike. */
  abstract boolean isAlike(StateObject<?, ?> other);

  abstract R emptyRoot();

  abstract boolean isEmpty(R root);

  /** How many entries there are. */
  abstract int size(R root);

  /**
   * What the entries take when encoded, about; some of them are written to {@code writer}.
   *
   * @throws dev.tempest.values.TooLargeException if the writer has no room for these
   */
  abstract long sizeBytes(R root, ByteWriter writer);

  /** The root made by an earlier declaration of the same object, as one of this. */
  abstract R adopt(R root);

  /**
   * The same, in time proportional to what differs from another such root.
   *
   * @param adopted what an object of the same types has made of that
   */
  abstract R adopt(R root, R earlier, R adopted);

  /** The root with all that can be merged since another merge function is known. */
  abstract R merge(R root);

  abstract boolean isSameRoot(R left, R right);

  abstract boolean isSameWrites(W left, W right);

  abstract R apply(R root, W writes);

  /** The root without what has ended by then; itself if nothing has. */
  abstract R expire(R root, long throughMillis);

  abstract void writeWrites(W writes, ByteWriter writer);

  abstract W readWrites(ByteReader reader);

  /** The entries after a place; all of them if it is empty. */
  abstract PlacedCursor placed(R root, Bytes after);

  /** Without the entries after one place and through another; to the last if that is null. */
  abstract R cleared(R root, Bytes after, @Nullable Bytes through);

  /** With an entry in addition, or in place of the one of its key. */
  abstract R readEntry(R root, ByteReader reader);

  /**
   * The tally of a root, from the one of another root of this object: in time proportional to the
   * differences where one came about from the other.
   */
  abstract Tally tally(Tally before, R from, R to);

  /** A stable hash of the contents that does not depend on their order. */
  final long hash(R root) {
    return SplitMix.mix(tally(Tally.NONE, emptyRoot(), root).sum());
  }

  /** The contents as a read-only java object. */
  abstract Object contents(R root);

  /** The size in words, for messages. */
  abstract String describe(R root);

  @Override
  public final String toString() {
    return kind.word + " '" + name + "'";
  }
}

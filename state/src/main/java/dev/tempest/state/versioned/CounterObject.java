package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import org.jspecify.annotations.Nullable;

/** A declared counter: its root is its value, the writes to it are the sum of the increments. */
final class CounterObject extends StateObject<Long, Long> {
  CounterObject(String name, int index, int generation) {
    super(Kind.COUNTER, name, index, generation);
  }

  @Override
  boolean isEmpty(Long root) {
    return root == 0;
  }

  @Override
  int size(Long root) {
    return root == 0 ? 0 : 1;
  }

  @Override
  long sizeBytes(Long root, ByteWriter writer) {
    if (root != 0) {
      writer.writeZigzag(root);
    }
    return writer.size();
  }

  @Override
  boolean isAlike(StateObject<?, ?> other) {
    return index == other.index;
  }

  @Override
  Long adopt(Long root) {
    return root;
  }

  @Override
  Long adopt(Long root, Long earlier, Long adopted) {
    return root;
  }

  @Override
  Long merge(Long root) {
    return root;
  }

  @Override
  Long expire(Long root, long throughMillis) {
    return root;
  }

  @Override
  Long emptyRoot() {
    return 0L;
  }

  @Override
  boolean isSameRoot(Long left, Long right) {
    return left.equals(right);
  }

  @Override
  boolean isSameWrites(Long left, Long right) {
    return left.equals(right);
  }

  @Override
  Long apply(Long root, Long writes) {
    return root + writes;
  }

  @Override
  void writeWrites(Long writes, ByteWriter writer) {
    writer.writeZigzag(writes);
  }

  @Override
  Long readWrites(ByteReader reader) {
    long sum = reader.readZigzag();
    if (sum == 0) {
      throw new MalformedException("a change without an increment of " + this);
    }
    return sum;
  }

  /** Its value is one entry, at no place within it. */
  @Override
  PlacedCursor placed(Long root, Bytes after) {
    return new PlacedCursor() {
      private boolean isOver = root == 0;

      @Override
      public boolean advance() {
        boolean first = !isOver;
        isOver = true;
        return first;
      }

      @Override
      public boolean isThrough(Bytes place) {
        return true;
      }

      @Override
      public boolean sharesPlace() {
        return false;
      }

      @Override
      public Bytes place() {
        return Bytes.EMPTY;
      }

      @Override
      public void write(ByteWriter writer) {
        writer.writeZigzag(root);
      }
    };
  }

  @Override
  Long cleared(Long root, Bytes after, @Nullable Bytes through) {
    return 0L;
  }

  @Override
  Long readEntry(Long root, ByteReader reader) {
    return reader.readZigzag();
  }

  @Override
  Tally tally(Tally before, Long from, Long to) {
    return new Tally(to, 0);
  }

  @Override
  Object contents(Long root) {
    return root;
  }

  @Override
  String describe(Long root) {
    return root.toString();
  }
}

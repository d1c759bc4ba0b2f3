package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Write.Conditional;
import dev.tempest.state.versioned.Write.Merged;
import dev.tempest.state.versioned.Write.Removed;
import dev.tempest.state.versioned.Write.Several;
import dev.tempest.state.versioned.Write.Touched;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the contents of a keyed object, and the writes to it, are encoded: see {@link Schema}. */
final class KeyedCodec<K, V> {
  private static final int REMOVED = 0;
  private static final int VALUE = 1;
  private static final int LEASE = 2;
  private static final int UNMERGED = 3;
  private static final int MERGED = 4;
  private static final int TOUCHED = 5;
  private static final int IF_ABSENT = 6;
  private static final int IF_SAME = 7;
  private static final int MERGED_LEASE = 8;
  private static final int SEVERAL = 9;

  private final KeyedObject<K, V> object;

  KeyedCodec(KeyedObject<K, V> object) {
    this.object = object;
  }

  void writeEntry(K key, Object slot, ByteWriter writer) {
    object.keys.write(key, writer);
    writeSlot(slot, writer);
  }

  Keyed<K> readEntry(Keyed<K> root, ByteReader reader) {
    K key = object.readKey(reader);
    return object.with(root, key, readSlot(reader.readByte(), reader));
  }

  /** Writes the first entries; returns how many. */
  int writeSome(Keyed<K> root, int max, ByteWriter writer) {
    Cursor<K, Object> cursor = root.entries().cursor();
    int written = 0;
    while (written < max && cursor.advance()) {
      writeEntry(cursor.key(), cursor.value(), writer);
      written++;
    }
    return written;
  }

  void writeWrites(TrieMap<K, Object> writes, ByteWriter writer) {
    writer.writeVarint(writes.size());
    Cursor<K, Object> cursor = writes.cursor();
    while (cursor.advance()) {
      object.keys.write(cursor.key(), writer);
      writeWrite(cursor.value(), writer);
    }
  }

  TrieMap<K, Object> readWrites(ByteReader reader) {
    int count = reader.readCount(2);
    if (count == 0) {
      throw new MalformedException("a change without a write to " + object);
    }
    TrieMap<K, Object> writes = object.noWrites();
    for (int i = 0; i < count; i++) {
      K key = object.readKey(reader);
      requireNew(writes.get(key));
      writes = writes.put(key, readWrite(reader));
    }
    return writes;
  }

  int hash(Object slot) {
    return slot instanceof Lease || slot instanceof Unmerged
        ? dev.tempest.values.encoding.StableHash.of(encoded(slot))
        : object.values.hash(value(slot));
  }

  boolean isSameWrite(Object left, Object right) {
    return Arrays.equals(encodedWrite(left), encodedWrite(right));
  }

  boolean isSameSlot(Object left, Object right) {
    boolean special = left instanceof Lease || left instanceof Unmerged;
    if (special || right instanceof Lease || right instanceof Unmerged) {
      return special && Arrays.equals(encoded(left), encoded(right));
    }
    return object.values.isSame(value(left), value(right));
  }

  private void writeSlot(Object slot, ByteWriter writer) {
    switch (slot) {
      case Lease lease -> {
        writer.writeByte(LEASE);
        writer.writeZigzag(lease.expiresAtMillis());
        writer.writeZigzag(lease.idleMillis());
        writer.writeZigzag(lease.usedMillis());
        writeSlot(lease.value(), writer);
      }
      case Unmerged unmerged -> {
        writer.writeByte(UNMERGED);
        writer.writeBoolean(unmerged.base() != null);
        if (unmerged.base() != null) {
          object.values.write(value(unmerged.base()), writer);
        }
        writer.writeVarint(unmerged.merges().size());
        for (Merged merge : unmerged.merges()) {
          writer.writeString(merge.function());
          object.values.write(value(merge.operand()), writer);
        }
      }
      default -> {
        writer.writeByte(VALUE);
        object.values.write(value(slot), writer);
      }
    }
  }

  private Object readSlot(int tag, ByteReader reader) {
    return switch (tag) {
      case VALUE -> object.readValue(reader);
      case LEASE -> readLease(reader);
      case UNMERGED -> readUnmerged(reader);
      default -> throw new MalformedException(object + " has something of kind " + tag);
    };
  }

  private Lease readLease(ByteReader reader) {
    long expiresAtMillis = reader.readZigzag();
    long idleMillis = reader.readZigzag();
    long usedMillis = reader.readZigzag();
    int tag = reader.readByte();
    // A sum of these must not overflow.
    if (tag == LEASE
        || idleMillis < 0
        || idleMillis > Long.MAX_VALUE / 2
        || usedMillis < 0
        || usedMillis > Long.MAX_VALUE / 2) {
      throw new MalformedException(object + " has an invalid lease");
    }
    return new Lease(readSlot(tag, reader), expiresAtMillis, idleMillis, usedMillis);
  }

  private Unmerged readUnmerged(ByteReader reader) {
    Object base = reader.readBoolean() ? object.readValue(reader) : null;
    int count = reader.readCount(2);
    if (count == 0) {
      throw new MalformedException(object + " has an unmerged value without a merge");
    }
    List<Merged> merges = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      merges.add(new Merged(readFunction(reader), object.readValue(reader)));
    }
    return new Unmerged(base, List.copyOf(merges));
  }

  private void writeWrite(Object write, ByteWriter writer) {
    switch (write) {
      case Removed removed -> writer.writeByte(REMOVED);
      case Merged(String function, Lease operand) -> {
        writer.writeByte(MERGED_LEASE);
        writer.writeString(function);
        writeSlot(operand, writer);
      }
      case Merged(String function, Object operand) -> {
        writer.writeByte(MERGED);
        writer.writeString(function);
        object.values.write(value(operand), writer);
      }
      case Several(var writes) -> {
        writer.writeByte(SEVERAL);
        writer.writeVarint(writes.size());
        writes.forEach(each -> writeWrite(each, writer));
      }
      case Touched(long usedMillis) -> {
        writer.writeByte(TOUCHED);
        writer.writeZigzag(usedMillis);
      }
      case Conditional(var expected, var then) -> {
        writer.writeByte(expected == null ? IF_ABSENT : IF_SAME);
        if (expected != null) {
          object.values.write(value(expected), writer);
        }
        writeWrite(then, writer);
      }
      default -> writeSlot(write, writer);
    }
  }

  private Object readWrite(ByteReader reader) {
    int tag = reader.readByte();
    return tag == SEVERAL ? readSeveral(reader) : readWrite(tag, reader);
  }

  private Several readSeveral(ByteReader reader) {
    int count = reader.readCount(2);
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (!(readWrite(reader.readByte(), reader) instanceof Write write)) {
        throw new MalformedException(object + " has a write after which others count for nothing");
      }
      writes.add(write);
    }
    if (count < 2) {
      throw new MalformedException(object + " has several writes that are not");
    }
    return new Several(List.copyOf(writes));
  }

  private Merged readMergedLease(ByteReader reader) {
    String function = readFunction(reader);
    if (!(readSlot(reader.readByte(), reader) instanceof Lease lease)
        || lease.value() instanceof Unmerged) {
      throw new MalformedException(object + " has a merge of something else than a value");
    }
    return new Merged(function, lease);
  }

  private Object readWrite(int tag, ByteReader reader) {
    return switch (tag) {
      case MERGED_LEASE -> readMergedLease(reader);
      case MERGED -> new Merged(readFunction(reader), object.readValue(reader));
      case TOUCHED -> new Touched(readMillis(reader));
      case IF_ABSENT -> new Conditional(null, readUnconditional(reader));
      case IF_SAME -> new Conditional(object.readValue(reader), readUnconditional(reader));
      default -> readUnconditional(tag, reader);
    };
  }

  private Object readUnconditional(ByteReader reader) {
    return readUnconditional(reader.readByte(), reader);
  }

  private Object readUnconditional(int tag, ByteReader reader) {
    return tag == REMOVED ? Removed.REMOVED : readSlot(tag, reader);
  }

  private long readMillis(ByteReader reader) {
    long millis = reader.readZigzag();
    if (millis < 0 || millis > Long.MAX_VALUE / 2) {
      throw new MalformedException(object + " has an invalid time of last use");
    }
    return millis;
  }

  private static String readFunction(ByteReader reader) {
    String name = reader.readString();
    if (!Names.isName(name)) {
      throw new MalformedException("a merge function has an invalid name");
    }
    return name;
  }

  private void requireNew(@Nullable Object there) {
    if (there != null) {
      throw new MalformedException(object + " has a key twice");
    }
  }

  private byte[] encoded(Object slot) {
    ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
    writeSlot(slot, writer);
    return Arrays.copyOf(writer.array(), writer.size());
  }

  private byte[] encodedWrite(Object write) {
    ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
    writeWrite(write, writer);
    return Arrays.copyOf(writer.array(), writer.size());
  }

  @SuppressWarnings("unchecked") // What is stored and nothing special is a value.
  private V value(Object stored) {
    return (V) stored;
  }
}

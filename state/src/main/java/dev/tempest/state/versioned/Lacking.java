package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Write.Conditional;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one version has and another has nothing of, in changes of some size: the same ones wherever
 * the two versions are.
 */
final class Lacking {
  private final Schema schema;
  private final int enoughBytes;
  private final ByteWriter scratch = new ByteWriter(Integer.MAX_VALUE);
  private final List<Bytes> changes = new ArrayList<>();

  /** Of the change to come, by the index of the object. */
  private @Nullable Object[] writes;

  private long sizeBytes;

  private Lacking(Schema schema, int enoughBytes) {
    this.schema = schema;
    this.enoughBytes = enoughBytes;
    this.writes = new Object[schema.size()];
  }

  static List<Bytes> changes(Schema schema, Version theirs, Version ours, int enoughBytes) {
    VersionedState.requireSame(schema, ours.schema);
    VersionedState.requireSame(schema, theirs.schema);
    Lacking lacking = new Lacking(schema, enoughBytes);
    for (StateObject<?, ?> object : schema.byName()) {
      if (object instanceof KeyedObject<?, ?> keyed) {
        lacking.add(keyed, schema.upgrade(theirs), schema.upgrade(ours));
      }
    }
    lacking.end();
    return lacking.changes;
  }

  @SuppressWarnings("unchecked") // The roots were made by the object.
  private <K, V> void add(KeyedObject<K, V> object, Version theirs, Version ours) {
    Lack<K> lack = new Lack<>(object.noWrites());
    Entries<K, Object> mine = ((Keyed<K>) ours.root(object)).entries();
    mine.difference(((Keyed<K>) theirs.root(object)).entries(), lack);
    TrieMap<K, Object> these = object.noWrites();
    Cursor<K, Object> cursor = lack.writes.cursor();
    while (cursor.advance()) {
      these = these.put(cursor.key(), new Conditional(null, cursor.value()));
      writes[object.index] = these;
      scratch.reset();
      object.writeEntry(cursor.key(), cursor.value(), scratch);
      sizeBytes += scratch.size();
      if (sizeBytes >= enoughBytes) {
        end();
        these = object.noWrites();
      }
    }
  }

  /** Ends the change, if there is any. */
  private void end() {
    Change change = new Change(schema, writes);
    if (!change.isEmpty()) {
      ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
      schema.write(change, writer);
      changes.add(writer.toBytes());
    }
    writes = new Object[schema.size()];
    sizeBytes = 0;
  }

  /** Gathers the entries of keys that the other has none of, in an order of their own. */
  private static final class Lack<K> implements Entries.DifferenceVisitor<K, Object> {
    private TrieMap<K, Object> writes;

    Lack(TrieMap<K, Object> none) {
      this.writes = none;
    }

    @Override
    public void visit(K key, @Nullable Object theirs, @Nullable Object ours) {
      if (theirs == null && ours != null) {
        writes = writes.put(key, ours);
      }
    }
  }
}

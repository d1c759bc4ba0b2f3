package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Write.Conditional;
import dev.tempest.state.versioned.Write.Merged;
import dev.tempest.state.versioned.Write.Removed;
import dev.tempest.state.versioned.Write.Several;
import dev.tempest.state.versioned.Write.Touched;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.Opaque;
import dev.tempest.values.encoding.UserCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A declared object of keys and values. A set is one to {@link Present}, a list or queue one from
 * {@link Position}, a single value one with one key. The writes to it are a trie from keys to new
 * values, or to a {@link Write}.
 */
final class KeyedObject<K, V> extends StateObject<Keyed<K>, TrieMap<K, Object>> {
  final StoredType<K> keys;
  final StoredType<V> values;
  final Lifetime lifetime;

  /** Whether conditional writes travel as such, and are decided where they are applied. */
  final boolean travelsConditions;

  private final boolean refusesOthers;

  private final Merging merging;
  private final Complaints complaints;
  private final Keyed<K> empty;
  private final TrieMap<K, Object> noWrites;
  private final KeyedCodec<K, V> codec;
  private final KeyedPlaces<K, V> places;
  private final Adoption<K, V> adoption;

  /**
   * What is declared.
   *
   * @param complaints takes what no caller is told
   */
  KeyedObject(
      Kind kind,
      String name,
      int index,
      int generation,
      Declaration<K, V> declaration,
      Merging merging,
      Complaints complaints) {
    super(kind, name, index, generation);
    this.keys = declaration.keys();
    this.values = declaration.values();
    this.lifetime = declaration.lifetime();
    this.travelsConditions = declaration.travelsConditions();
    this.refusesOthers = declaration.refusesOthers();
    this.merging = merging;
    this.complaints = complaints;
    this.noWrites = TrieMap.empty(keys.type());
    this.empty = empty(kind.isSorted(), keys);
    this.codec = new KeyedCodec<>(this);
    this.places = new KeyedPlaces<>(this);
    this.adoption = new Adoption<>(this);
  }

  private static <K> Keyed<K> empty(boolean isSorted, StoredType<K> keys) {
    SortedTree<Deadline<K>, Present> noDeadlines = SortedTree.empty(Deadline.order(keys));
    if (isSorted && !keys.isOrderedByUsers()) {
      return new Keyed<>(SortedTree.empty(keys::compare), noDeadlines, 0, 0, null);
    }
    TrieMap<K, Object> none = TrieMap.empty(keys.type());
    return new Keyed<>(none, noDeadlines, 0, 0, isSorted ? UserOrder.none(keys, none) : null);
  }

  @Override
  Keyed<K> emptyRoot() {
    return empty;
  }

  @Override
  boolean isEmpty(Keyed<K> root) {
    return root.size() == 0;
  }

  @Override
  int size(Keyed<K> root) {
    return root.size();
  }

  @Override
  long sizeBytes(Keyed<K> root, ByteWriter writer) {
    int written = codec.writeSome(root, Sizes.SAMPLE_MAX, writer);
    return written == 0 ? 0 : (long) writer.size() * root.size() / written;
  }

  /** For a declaration that names the class of keys or values where this leaves it open. */
  KeyedObject<K, V> showing(StoredType<K> itsKeys, StoredType<V> itsValues) {
    boolean narrowsKeys = keys.isNarrowedBy(itsKeys);
    boolean narrowsValues = values.isNarrowedBy(itsValues);
    if (!narrowsKeys && !narrowsValues) {
      return this;
    }
    Declaration<K, V> declaration =
        new Declaration<>(
            narrowsKeys ? itsKeys.showing(keys) : keys,
            narrowsValues ? itsValues.showing(values) : values,
            lifetime,
            travelsConditions,
            refusesOthers);
    return new KeyedObject<>(kind, name, index, generation, declaration, merging, complaints);
  }

  TrieMap<K, Object> noWrites() {
    return noWrites;
  }

  /** What a caller sees at that time of what is stored; null for nothing, and for what is over. */
  @Nullable V visible(@Nullable Object slot, long nowMillis) {
    return slot != null && Lease.isThere(slot, nowMillis) ? value(slot) : null;
  }

  /** The value in a slot, whether it is over or not. */
  @SuppressWarnings("unchecked") // What is stored and neither of the others is a value.
  V value(Object slot) {
    if (slot instanceof Lease lease) {
      return value(lease.value());
    }
    if (slot instanceof Unmerged unmerged) {
      unmerged.values().forEach(value -> values.out((V) value)); // Or this class is not declared.
      throw new IllegalStateException(
          this
              + " has a value merged by '"
              + unmerged.merges().getLast().function()
              + "', which is not registered at this node: register it before you use it");
    }
    return (V) slot;
  }

  /** Whether values can be given out as they are stored. */
  boolean sharesValues(Keyed<K> root) {
    return root.special() == 0 && values.isShared();
  }

  /** Whether some value may hold what only other code knows, and is kept when it is replaced. */
  boolean hasUnread(Keyed<K> root) {
    return refusesOthers && root.special() > 0;
  }

  /** {@link StoredType#over} what a caller sees of a slot at that time. */
  @SuppressWarnings("unchecked") // As in isAsExpected.
  V over(@Nullable Object slot, V value, long nowMillis) {
    Object stored = slot instanceof Lease lease ? lease.value() : slot;
    return stored instanceof Opaque && Lease.isThere(slot, nowMillis)
        ? values.over((V) stored, value)
        : value;
  }

  /** The value to store for one written now: with a lease where the object has a lifetime. */
  Object slot(V value, long nowMillis) {
    return lifetime.isUnlimited() ? value : lifetime.lease(value, nowMillis);
  }

  /** Throws what a user's {@code compareTo} throws if the key that is to be added has no order. */
  void requireOrder(Keyed<K> root, K key) {
    UserOrder<K> order = root.order();
    if (order != null && root.entries().get(key) == null) {
      order.require(key);
    }
  }

  /** Applies one write, see {@link Write}. */
  Keyed<K> apply(Keyed<K> root, K key, Object write) {
    if (!(write instanceof Write special)) {
      return with(root, key, write);
    }
    return switch (special) {
      case Removed removed -> without(root, key);
      case Merged merged -> with(root, key, merged(root.entries().get(key), merged));
      case Touched(long usedMillis) -> {
        Object slot = root.entries().get(key);
        yield slot instanceof Lease lease ? with(root, key, lease.usedAt(usedMillis)) : root;
      }
      case Conditional(var expected, var then) ->
          isAsExpected(root.entries().get(key), expected) ? apply(root, key, then) : root;
      case Several(var writes) -> {
        Keyed<K> result = root;
        for (Write each : writes) {
          result = apply(result, key, each);
        }
        yield result;
      }
    };
  }

  @Override
  Keyed<K> apply(Keyed<K> root, TrieMap<K, Object> writes) {
    Keyed<K> result = root;
    Cursor<K, Object> cursor = writes.cursor();
    while (cursor.advance()) {
      result = apply(result, cursor.key(), cursor.value());
    }
    return result;
  }

  @Override
  Keyed<K> expire(Keyed<K> root, long throughMillis) {
    Keyed<K> result = root;
    while (result.deadlines().size() > 0) {
      Deadline<K> soonest = result.deadlines().at(0).key;
      if (soonest.deadlineMillis() > throughMillis) {
        break;
      }
      result = without(result, soonest.key());
    }
    return result;
  }

  @Override
  boolean isAlike(StateObject<?, ?> other) {
    return index == other.index
        && other instanceof KeyedObject<?, ?> that
        && keys.isAlike(that.keys)
        && values.isAlike(that.values);
  }

  @Override
  Keyed<K> adopt(Keyed<K> root) {
    return adoption.adopted(root);
  }

  @Override
  Keyed<K> adopt(Keyed<K> root, Keyed<K> earlier, Keyed<K> adopted) {
    return adoption.adopted(root, earlier, adopted);
  }

  @Override
  Keyed<K> merge(Keyed<K> root) {
    return adoption.merged(root);
  }

  K adoptKey(K stored) {
    return known(keys, keys.adopt(stored));
  }

  V adoptValue(V stored) {
    return known(values, values.adopt(stored));
  }

  /** {@link Merging#merged}. */
  Object merged(@Nullable Object slot, Merged merge) {
    return merging.merged(this, slot, merge);
  }

  K readKey(ByteReader reader) {
    return known(keys, keys.read(reader));
  }

  V readValue(ByteReader reader) {
    return known(values, values.read(reader));
  }

  /** Complains if the value cannot be read as what is declared here, or refuses it. */
  private <T> T known(StoredType<T> type, T stored) {
    if (!type.isUnbound() && (Object) type.readable(stored) instanceof Opaque opaque) {
      if (refusesOthers && type.isOther(opaque)) {
        throw new UnreadableStateException(
            "%s holds a %s that is not what is declared, %s: %s"
                .formatted(this, opaque.className(), type, opaque.reason()));
      }
      complaints.add(
          this + " class",
          () ->
              "another node wrote a %s into %s, which is declared with %s here: %s. It is kept, but"
                      .formatted(opaque.className(), this, type, opaque.reason())
                  + " cannot be read here. Declare the collection alike at every node, or use"
                  + " another name. Others of this collection are not logged");
    }
    return stored;
  }

  /** True if what is stored has the same contents as {@code expected}, null for none. */
  @SuppressWarnings("unchecked") // Neither a lease nor unmerged: a value.
  boolean isAsExpected(@Nullable Object slot, @Nullable Object expected) {
    Object stored = slot instanceof Lease lease ? lease.value() : slot;
    if (stored == null || expected == null) {
      return stored == null && expected == null;
    }
    return !(stored instanceof Unmerged) && values.isSame((V) stored, (V) expected);
  }

  /** Whether what is stored has the contents of one of them: never if merges are missing. */
  @SuppressWarnings("unchecked") // As in isAsExpected.
  boolean isOneOf(Queries<V> queries, Object slot) {
    Object stored = slot instanceof Lease lease ? lease.value() : slot;
    return !(stored instanceof Unmerged) && queries.contain((V) stored);
  }

  /**
   * Whether what is stored has the contents of none of them. Throws for what cannot be read here:
   * nobody shall lose what this code cannot tell apart.
   */
  boolean isNoneOf(Queries<V> queries, Object slot) {
    return !isOneOf(queries, slot) && values.out(value(slot)) != null;
  }

  @Override
  boolean isSameRoot(Keyed<K> left, Keyed<K> right) {
    return left.entries().hasContentsOf(right.entries(), codec::isSameSlot);
  }

  @Override
  boolean isSameWrites(TrieMap<K, Object> left, TrieMap<K, Object> right) {
    return left.hasContentsOf(right, (a, b) -> codec.isSameWrite(a, b));
  }

  @Override
  PlacedCursor placed(Keyed<K> root, Bytes after) {
    return places.cursor(root, after);
  }

  @Override
  Keyed<K> cleared(Keyed<K> root, Bytes after, @Nullable Bytes through) {
    return places.cleared(root, after, through);
  }

  @Override
  Keyed<K> readEntry(Keyed<K> root, ByteReader reader) {
    return codec.readEntry(root, reader);
  }

  void writeEntry(K key, Object slot, ByteWriter writer) {
    codec.writeEntry(key, slot, writer);
  }

  @Override
  void writeWrites(TrieMap<K, Object> writes, ByteWriter writer) {
    codec.writeWrites(writes, writer);
  }

  @Override
  TrieMap<K, Object> readWrites(ByteReader reader) {
    return codec.readWrites(reader);
  }

  @Override
  Tally tally(Tally before, Keyed<K> from, Keyed<K> to) {
    Tallying<K> tallying = new Tallying<>(keys, codec, before);
    to.entries().difference(from.entries(), tallying);
    return tallying.tally();
  }

  @Override
  Object contents(Keyed<K> root) {
    return Contents.of(this, root);
  }

  @Override
  String describe(Keyed<K> root) {
    return root.size() + (root.size() == 1 ? " entry" : " entries");
  }

  /** Which of too many entries goes first, other than the one just written. */
  K firstToGo(Keyed<K> root, K written) {
    for (int i = 0; i < Math.min(2, root.deadlines().size()); i++) {
      K soonest = root.deadlines().at(i).key.key();
      if (!keys.isSame(soonest, written)) {
        return soonest;
      }
    }
    // Written by nodes to which the object has no limits.
    Cursor<K, Object> cursor = root.entries().cursor();
    boolean isOther = false;
    while (!isOther && cursor.advance()) {
      isOther = !keys.isSame(cursor.key(), written);
    }
    return cursor.key();
  }

  /** Whether a caller gets what is stored. */
  @SuppressWarnings("unchecked") // As in isAsExpected.
  boolean isReadable(Object slot) {
    Object stored = slot instanceof Lease lease ? lease.value() : slot;
    return !(stored instanceof Unmerged) && values.isReadable((V) stored);
  }

  /** Whether both hold values of the same contents, whatever their leases say. */
  boolean isSameValue(Object left, Object right) {
    Object stored = left instanceof Lease lease ? lease.value() : left;
    return !(stored instanceof Unmerged) && isAsExpected(right, stored);
  }

  /** Says that listeners do not hear of what cannot be read here. */
  void complainOfUntold(Throwable reason) {
    complaints.add(
        this + " listener",
        () ->
            "listeners of %s are not told of an entry that cannot be read here (%s): to them it is"
                    .formatted(this, UserCode.message(reason))
                + " not there. They hear of all that can be read. Others of this collection are not"
                + " logged");
  }

  /** With {@code slot} in place of what was there; null for nothing. */
  Keyed<K> withSlot(Keyed<K> root, K key, @Nullable Object slot) {
    return slot == null ? without(root, key) : with(root, key, slot);
  }

  boolean isSameSlot(Object left, Object right) {
    return isKnownSame(left, right) || codec.isSameSlot(left, right);
  }

  boolean isSameWrite(Object left, Object right) {
    return isKnownSame(left, right) || codec.isSameWrite(left, right);
  }

  /** Adds the writes of a change to a log, see {@link Footprint#LOG_STEP}. */
  @SuppressWarnings("unchecked") // The writes were made by this object.
  void addTo(List<Object> log, Object writes) {
    Cursor<K, Object> cursor = ((TrieMap<K, Object>) writes).cursor();
    while (cursor.advance()) {
      log.add(this);
      log.add(cursor.key());
      log.add(cursor.value());
    }
  }

  /** With {@code slot} in place of what was there. */
  Keyed<K> with(Keyed<K> root, K key, Object slot) {
    Object old = root.entries().get(key);
    if (old != null && isKnownSame(old, slot)) {
      return root;
    }
    SortedTree<Deadline<K>, Present> deadlines = root.deadlines();
    if (old instanceof Lease earlier) {
      deadlines = deadlines.remove(Deadline.of(earlier, key));
    }
    if (slot instanceof Lease lease) {
      deadlines = deadlines.put(Deadline.of(lease, key), Present.PRESENT);
    }
    int special = root.special() - (isSpecial(old) ? 1 : 0) + (isSpecial(slot) ? 1 : 0);
    int unmerged = root.unmerged() - unmerged(old) + unmerged(slot);
    return root.with(root.entries().put(key, old, slot), deadlines, special, unmerged);
  }

  private static boolean isSpecial(@Nullable Object slot) {
    return slot instanceof Lease || slot instanceof Unmerged || slot instanceof Opaque;
  }

  private static int unmerged(@Nullable Object slot) {
    return Unmerged.isIn(slot) ? 1 : 0;
  }

  /** True only if both are the same; may say false where finding out takes long, or fails. */
  @SuppressWarnings("unchecked") // What is not special is a value.
  private boolean isKnownSame(Object left, Object right) {
    try {
      return values.hasContentEquality()
          && !isSpecial(left)
          && !isSpecial(right)
          && values.isSame((V) left, (V) right);
    } catch (Throwable ofTheUsersClass) {
      UserCode.rethrowIfFatal(ofTheUsersClass);
      return false;
    }
  }

  private Keyed<K> without(Keyed<K> root, K key) {
    Object slot = root.entries().get(key);
    if (slot == null) {
      return root;
    }
    return root.with(
        root.entries().remove(key),
        slot instanceof Lease lease
            ? root.deadlines().remove(Deadline.of(lease, key))
            : root.deadlines(),
        root.special() - (isSpecial(slot) ? 1 : 0),
        root.unmerged() - unmerged(slot));
  }
}

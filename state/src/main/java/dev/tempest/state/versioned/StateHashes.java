package dev.tempest.state.versioned;

import dev.tempest.values.encoding.StableHash;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of the collections of a version, taken from it to the next one at the cost of what
 * differs between the two: nothing where nothing does.
 *
 * <p>Equal contents have equal hashes, whatever their history, in every JVM, and whether or not
 * this code can read all values. What two versions hold differently escapes once in about 2^32
 * values. Not for protection from attackers.
 *
 * <p>Keeps the version alive that it was brought to. Not thread-safe.
 */
public final class StateHashes {
  private final Schema schema;
  private final List<Tally> tallies = new ArrayList<>();
  private @Nullable Version latest;
  private long total;

  StateHashes(Schema schema) {
    this.schema = schema;
  }

  /** Takes the hashes to this version. */
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  public void advance(Version version) {
    Version before = latest;
    if (version == before) {
      return;
    }
    if (before == null) {
      tallies.clear();
      total = 0;
    }
    for (StateObject<?, ?> any : schema.objects()) {
      StateObject<Object, Object> object = Schema.cast(any);
      if (object.index == tallies.size()) {
        tallies.add(Tally.NONE);
      }
      boolean isAnew = before == null || schema.isMadeAnew(object, before, version);
      Object from = isAnew || before == null ? object.emptyRoot() : before.root(object);
      Object to = version.root(object);
      if (from != to || isAnew) {
        advance(object, from, to);
      }
    }
    latest = version;
  }

  /**
   * Takes the hashes to a version, and on to what declarations made of that: the same contents,
   * unless something was merged.
   */
  public void upgrade(Version version, Version upgraded) {
    if (latest == null) {
      return; // They begin with the next one.
    }
    advance(version);
    for (StateObject<?, ?> any : schema.objects().subList(0, tallies.size())) {
      StateObject<Object, Object> object = Schema.cast(any);
      if (tallies.get(object.index).unmerged() > 0) {
        advance(object, object.emptyRoot(), upgraded.root(object));
      }
    }
    latest = upgraded;
  }

  /** The same for this version, from where each goes its own way. */
  public StateHashes copy() {
    StateHashes copy = new StateHashes(schema);
    copy.tallies.addAll(tallies);
    copy.latest = latest;
    copy.total = total;
    return copy;
  }

  /**
   * A hash of all collections but those whose own is not {@linkplain CollectionHash#known known}.
   */
  public long total() {
    return total;
  }

  /** The hashes of the collections that are not empty, in the order of their declaration. */
  public List<CollectionHash> collections() {
    List<CollectionHash> hashes = new ArrayList<>();
    Version version = latest;
    for (StateObject<?, ?> any :
        version == null ? List.<StateObject<?, ?>>of() : schema.objects()) {
      StateObject<Object, Object> object = Schema.cast(any);
      if (version != null && object.index < tallies.size() && !isEmpty(object, version)) {
        Tally tally = tallies.get(object.index);
        hashes.add(
            new CollectionHash(object.toString(), tally.unmerged() == 0, hash(object, tally)));
      }
    }
    return hashes;
  }

  private static boolean isEmpty(StateObject<Object, Object> object, Version version) {
    return object.isEmpty(version.root(object));
  }

  private void advance(StateObject<Object, Object> object, Object from, Object to) {
    Tally before = tallies.get(object.index);
    boolean isWhole = object.isEmpty(from);
    Tally after = object.tally(isWhole ? Tally.NONE : before, from, to);
    tallies.set(object.index, after);
    total += share(object, after) - share(object, before);
  }

  /** Nothing for an empty object: others may not have declared it. */
  private static long share(StateObject<?, ?> object, Tally tally) {
    return tally.equals(Tally.NONE) || tally.unmerged() > 0 ? 0 : hash(object, tally);
  }

  private static long hash(StateObject<?, ?> object, Tally tally) {
    return SplitMix.mix(SplitMix.mix(tally.sum()) + StableHash.ofName(object.toString()));
  }
}

package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Entries.DifferenceVisitor;
import org.jspecify.annotations.Nullable;

/** Takes a {@link Tally} from one root to another by what it is shown of their differences. */
final class Tallying<K> implements DifferenceVisitor<K, Object> {
  private final StoredType<K> keys;
  private final KeyedCodec<K, ?> codec;
  private long sum;
  private int unmerged;

  Tallying(StoredType<K> keys, KeyedCodec<K, ?> codec, Tally before) {
    this.keys = keys;
    this.codec = codec;
    this.sum = before.sum();
    this.unmerged = before.unmerged();
  }

  Tally tally() {
    return new Tally(sum, unmerged);
  }

  @Override
  public void visit(K key, @Nullable Object oldSlot, @Nullable Object newSlot) {
    long keyPart = (long) keys.hash(key) << Integer.SIZE;
    if (oldSlot != null) {
      sum -= entry(keyPart, oldSlot);
      unmerged -= Unmerged.isIn(oldSlot) ? 1 : 0;
    }
    if (newSlot != null) {
      sum += entry(keyPart, newSlot);
      unmerged += Unmerged.isIn(newSlot) ? 1 : 0;
    }
  }

  /** Counts, too, so that no entry adds nothing. */
  private long entry(long keyPart, Object slot) {
    return 1 + SplitMix.mix(keyPart | (codec.hash(slot) & 0xFFFFFFFFL));
  }
}

package dev.tempest.state.versioned;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A stored value with merges by functions that are not registered here, or of values of a class
 * that is not declared, in their order: kept until they are, so that nothing is lost on the way.
 *
 * @param base the value before them; null for none
 * @param merges at least one
 */
record Unmerged(@Nullable Object base, List<Write.Merged> merges) {
  /** All that is to be merged. */
  Stream<Object> values() {
    return Stream.concat(Stream.ofNullable(base), merges.stream().map(Write.Merged::operand));
  }

  /** Whether what is stored waits to be merged, with a lease or without. */
  static boolean isIn(@Nullable Object slot) {
    return slot instanceof Unmerged
        || (slot instanceof Lease lease && lease.value() instanceof Unmerged);
  }

  static Unmerged of(@Nullable Object base, Write.Merged merge) {
    if (!(base instanceof Unmerged earlier)) {
      return new Unmerged(base, List.of(merge));
    }
    List<Write.Merged> merges = new ArrayList<>(earlier.merges);
    merges.add(merge);
    return new Unmerged(earlier.base, List.copyOf(merges));
  }
}

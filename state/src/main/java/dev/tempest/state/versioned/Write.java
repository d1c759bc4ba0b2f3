package dev.tempest.state.versioned;

import dev.tempest.state.Merge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a change does to a key, unless it just puts a value: then the value, or its {@link Lease},
 * stands there itself.
 */
sealed interface Write {
  /** Removes the entry. */
  enum Removed implements Write {
    REMOVED
  }

  /**
   * Merges {@code operand} into the value, or puts it where there is none.
   *
   * @param function the name of a registered {@link Merge}
   * @param operand a value; or a {@link Lease} of one, to which what was over when it was used last
   *     is none, and which renews the use of what is there
   */
  record Merged(String function, Object operand) implements Write {}

  /** Says that the entry was used. */
  record Touched(long usedMillis) implements Write {}

  /**
   * Writes only if the entry is as expected where the change is applied.
   *
   * @param expected the value; null for none
   * @param write a value, a lease or {@link Removed}
   */
  record Conditional(@Nullable Object expected, Object write) implements Write {}

  /**
   * Of which each depends on what is there, one after the other.
   *
   * @param writes at least two, none of them several
   */
  record Several(List<Write> writes) implements Write {}
}

package dev.tempest.state.versioned;

import dev.tempest.state.Merge;
import dev.tempest.state.versioned.Write.Merged;
import dev.tempest.values.encoding.Opaque;
import dev.tempest.values.encoding.UserCode;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Merges operands into stored values, by the functions that are registered here. */
final class Merging {
  /** Operands of one entry that wait for their function for longer than a node takes to start. */
  private static final int PILE = 1_000;

  private final Function<String, @Nullable Merge<Object>> functions;
  private final Complaints complaints;
  private final SlowCode slow;

  /**
   * Of one state.
   *
   * @param functions the registered ones by name
   * @param complaints takes what no caller is told
   */
  Merging(
      Function<String, @Nullable Merge<Object>> functions, Complaints complaints, SlowCode slow) {
    this.functions = functions;
    this.complaints = complaints;
    this.slow = slow;
  }

  /** Merges into what is stored; some other day if function or values cannot be had here. */
  @SuppressWarnings("unchecked") // Neither a lease nor unmerged: a value.
  <V> Object merged(KeyedObject<?, V> object, @Nullable Object slot, Merged merge) {
    if (merge.operand() instanceof Lease used) {
      if (!Lease.isThere(slot, used.usedMillis())) {
        return used;
      }
      Object value = merged(object, slot, new Merged(merge.function(), used.value()));
      return value instanceof Lease lease ? lease.usedAt(used.usedMillis()) : value;
    }
    if (slot instanceof Lease lease) {
      return lease.with(merged(object, lease.value(), merge));
    }
    if (slot == null) {
      return merge.operand();
    }
    Merge<Object> function = functions.apply(merge.function());
    if (function == null || slot instanceof Unmerged) {
      return unmerged(object, slot, merge);
    }
    Object base = object.values.readable((V) slot);
    Object operand = object.values.readable((V) merge.operand());
    if (base instanceof Opaque || operand instanceof Opaque) {
      return unmerged(object, slot, merge);
    }
    long beganNanos = slow.beginNanos();
    try {
      Object result = function.apply(base, operand);
      if (EntryLimit.isTooLarge(object.values, (V) result)) {
        complaints.add(
            object + " " + merge.function() + " size", () -> EntryLimit.merged(object, merge));
        return slot;
      }
      return object.values.over((V) slot, (V) result);
    } catch (Throwable doNotFit) {
      UserCode.rethrowIfFatal(doNotFit);
      // Who merged saw that they fit; another write came in between: the last one wins.
      complaints.add(
          object + " " + merge.function(), () -> failed(object, merge.function(), doNotFit));
      return merge.operand();
    } finally {
      slow.merged(object, merge.function(), beganNanos);
    }
  }

  /** Nothing may be lost of what others know how to merge: all that can be done is to say so. */
  private Unmerged unmerged(KeyedObject<?, ?> object, Object slot, Merged merge) {
    Unmerged waiting = Unmerged.of(slot, merge);
    if (waiting.merges().size() == PILE) {
      complaints.add(
          object + " " + merge.function() + " pile",
          () ->
              "an entry of %s has %d operands of '%s' that this node cannot merge: it keeps each of"
                      .formatted(object, PILE, merge.function())
                  + " them, which takes ever more memory. Register the function at every node, and"
                  + " declare the collection with its classes. Others are not logged");
    }
    return waiting;
  }

  private static String failed(KeyedObject<?, ?> object, String function, Throwable thrown) {
    return "the merge function '%s' threw %s for concurrent writes to an entry of %s: the later"
            .formatted(function, thrown.getClass().getName(), object)
        + " operand is in place of the earlier value, as after a put. Write functions"
        + " that return for all values. Others are not logged";
  }
}

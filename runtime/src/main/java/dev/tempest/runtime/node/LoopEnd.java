package dev.tempest.runtime.node;

import dev.tempest.values.encoding.FullMemory;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says why an event loop has ended. Made before it has: if the memory is full then, there may be
 * none left for a class, or a sentence.
 */
final class LoopEnd {
  private static final String STOPPED = "the event loop stopped because of ";

  private final Optional<String> byFullMemory =
      Optional.of(STOPPED + OutOfMemoryError.class.getName() + ": " + FullMemory.REMEDY);

  /** What to say; empty if nothing was wrong. */
  Optional<String> reason(@Nullable Throwable bug) {
    return FullMemory.isMetBy(bug)
        ? byFullMemory
        : Optional.ofNullable(bug).map(why -> STOPPED + why);
  }
}

package dev.tempest.values.encoding;

import org.jspecify.annotations.Nullable;

/** What is to be said of a process whose memory is full. */
public final class FullMemory {
  /** Why it ends, and what helps. */
  public static final String REMEDY =
      "the memory of this process is full. Start it with a larger -Xmx, or let it hold less";

  private static final String HEAP = "Java heap space";
  private static final String COLLECTED_IN_VAIN = "GC overhead limit exceeded";

  private FullMemory() {}

  /** Whether there is none left, and nobody has asked for more than any process has. */
  public static boolean isMetBy(@Nullable Throwable thrown) {
    return thrown instanceof OutOfMemoryError
        && (HEAP.equals(thrown.getMessage()) || COLLECTED_IN_VAIN.equals(thrown.getMessage()));
  }
}

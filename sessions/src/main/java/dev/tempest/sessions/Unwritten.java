package dev.tempest.sessions;

import dev.tempest.MissingAcksException;
import dev.tempest.OverloadedException;
import dev.tempest.UnknownOutcomeException;
import org.jspecify.annotations.Nullable;

/**
 * Tells what keeps a session from being written as configured from any other failure. A client that
 * tries again in a moment may succeed: HTTP's 503, not 500. Thread-safe.
 */
public final class Unwritten {
  private Unwritten() {}

  /**
   * Whether linearizable sessions could not be written, too few processes are known to have it, or
   * the outcome is not known.
   */
  public static boolean is(@Nullable Throwable failure) {
    return failure instanceof OverloadedException
        || failure instanceof MissingAcksException
        || failure instanceof UnknownOutcomeException;
  }
}

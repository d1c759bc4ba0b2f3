package dev.tempest.sessions;

import dev.tempest.MissingAcksException;
import dev.tempest.OverloadedException;
import dev.tempest.UnknownOutcomeException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells what keeps a session from being written as configured from any other failure. A client that
 * tries again in a moment may succeed: HTTP's 503, not 500. Thread-safe.
 */
public final class Unwritten {
  /** Of a failure: more are a circle. */
  private static final int CAUSES_MAX = 100;

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

  /** Such a failure, or what it is that another one comes of: frameworks wrap what they pass on. */
  public static Optional<RuntimeException> in(@Nullable Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .limit(CAUSES_MAX)
        .filter(Unwritten::is)
        .map(RuntimeException.class::cast)
        .findFirst();
  }
}

package dev.tempest;

/**
 * The request may or may not have been executed: no replica answered before the deadline, or the
 * caller stopped waiting.
 */
public final class UnknownOutcomeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what is known; for people. */
  public UnknownOutcomeException(String detail) {
    super(detail);
  }
}

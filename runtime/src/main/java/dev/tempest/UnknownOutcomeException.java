package dev.tempest;

/**
 * The request may or may not have been executed: no replica replied before the deadline, or the
 * caller stopped waiting.
 */
public final class UnknownOutcomeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With what is known, for people. */
  public UnknownOutcomeException(String detail) {
    super(detail);
  }
}

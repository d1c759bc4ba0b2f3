package dev.tempest;

/**
 * The request may or may not have been executed: no replica replied before the deadline, or the
 * caller stopped waiting. Or what was written to a linearizable collection may count, or come to:
 * no majority of the members has said in time that it has it. Read before you repeat either.
 */
public final class UnknownOutcomeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With what is known, for people. */
  public UnknownOutcomeException(String detail) {
    super(detail);
  }
}

package dev.tempest;

import dev.tempest.wire.Answer;

/** The request was not executed at any replica. */
public final class UnableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Answer.Reason reason;

  /** Says why; {@code detail} is for people. */
  public UnableException(Answer.Reason reason, String detail) {
    super(reason + ": " + detail);
    this.reason = reason;
  }

  /** Why it was not executed. */
  public Answer.Reason reason() {
    return reason;
  }
}

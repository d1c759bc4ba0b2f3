package dev.tempest;

/** No replica executed the request. */
public final class UnableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Outcome.Reason reason;

  /** Says why; {@code detail} is for people. */
  public UnableException(Outcome.Reason reason, String detail) {
    super(reason + ": " + detail);
    this.reason = reason;
  }

  /** Why no replica executed the request. */
  public Outcome.Reason reason() {
    return reason;
  }
}

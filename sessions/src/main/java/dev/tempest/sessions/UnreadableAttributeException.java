package dev.tempest.sessions;

/** An attribute cannot be read in this process. It stays as it is, and others may read it. */
public final class UnreadableAttributeException extends Exception {
  private static final long serialVersionUID = 1;

  /** Says why. */
  public UnreadableAttributeException(String message, Throwable cause) {
    super(message, cause);
  }
}

package dev.tempest;

/**
 * The node refuses writes for now, because too many earlier ones wait for a member that does not
 * keep up. Nothing was written. Try again later, or find that member.
 */
public final class OverloadedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a sentence that says why. */
  public OverloadedException(String message) {
    super(message);
  }
}

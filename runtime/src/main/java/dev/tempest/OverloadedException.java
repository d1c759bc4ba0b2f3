package dev.tempest;

/**
 * The node takes no writes for now, because too many wait until all members have them. Nothing was
 * written. Try again later, or find the member that does not keep up.
 */
public final class OverloadedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a sentence that says why. */
  public OverloadedException(String message) {
    super(message);
  }
}

package dev.tempest;

/**
 * A node takes no writes for now: too many of them wait for all members to have them. Nothing was
 * written; try again later, or look after the member that does not keep up.
 */
public final class OverloadedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a sentence that says why. */
  public OverloadedException(String message) {
    super(message);
  }
}

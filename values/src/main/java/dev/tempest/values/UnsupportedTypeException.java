package dev.tempest.values;

/**
 * A declared type whose values cannot be stored or sent. The message names the class, and the
 * component within it.
 */
public final class UnsupportedTypeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says which type is refused, why, and what to declare in its place. */
  public UnsupportedTypeException(String message) {
    super(message);
  }
}

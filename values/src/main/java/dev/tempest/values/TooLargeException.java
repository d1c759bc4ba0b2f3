package dev.tempest.values;

/**
 * A value that cannot be written or kept: it takes too many bytes, or it holds records and
 * collections within each other deeper than {@link ValueFormat#NESTING_MAX}.
 */
public final class TooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what is too large, and what the limit is. */
  public TooLargeException(String message) {
    super(message);
  }
}

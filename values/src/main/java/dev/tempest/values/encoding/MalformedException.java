package dev.tempest.values.encoding;

/**
 * Bytes that do not say what they should: cut short, too long, out of range. The message says what
 * and where.
 */
public final class MalformedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong with the bytes. */
  public MalformedException(String message) {
    // No stack trace: bad bytes come from outside at any rate, and it would say nothing about them.
    super(message, null, false, false);
  }
}

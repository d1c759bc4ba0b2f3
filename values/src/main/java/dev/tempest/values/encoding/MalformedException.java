package dev.tempest.values.encoding;

/**
 * Bytes that do not say what they should: cut short, too long, out of range. The message says what
 * and where.
 */
public final class MalformedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isOfOtherCode;

  /** Says what is wrong with the bytes. */
  public MalformedException(String message) {
    this(message, false);
  }

  private MalformedException(String message, boolean isOfOtherCode) {
    // No stack trace: bad bytes come from outside at any rate, and it would say nothing about them.
    super(message, null, false, false);
    this.isOfOtherCode = isOfOtherCode;
  }

  /** Nothing is wrong but that they name a class or constant that only other code has. */
  static MalformedException ofOtherCode(String message) {
    return new MalformedException(message, true);
  }

  boolean isOfOtherCode() {
    return isOfOtherCode;
  }

  /** The same, which was found in a part of something. */
  MalformedException within(String part) {
    return new MalformedException(part + ": " + getMessage(), isOfOtherCode);
  }
}

package dev.tempest.values;

/** A value whose bytes would exceed the limit of the writer it was written to. */
public final class TooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TooLargeException(int limitBytes) {
    super("larger than the limit of " + limitBytes + " bytes");
  }
}

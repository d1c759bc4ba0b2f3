package dev.tempest.state.versioned;

/** A stored value is asked for that only other code can read. It is kept as it is. */
public final class UnreadableValueException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  UnreadableValueException(String message) {
    super(message);
  }
}

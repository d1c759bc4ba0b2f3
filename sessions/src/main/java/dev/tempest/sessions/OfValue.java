package dev.tempest.sessions;

/** What code of values, and of codecs, may throw: anything that an application can. */
final class OfValue {
  private OfValue() {}

  /** In words that can be said; what the machine throws goes on. */
  static Throwable failure(Throwable thrown) {
    if (thrown instanceof VirtualMachineError machine && !(thrown instanceof StackOverflowError)) {
      throw machine;
    }
    if (thrown instanceof InterruptedException) { // Undeclared, as other languages throw it.
      Thread.currentThread().interrupt();
    }
    try {
      String unused = thrown.toString();
      return thrown;
    } catch (Throwable unsaid) { // An exception of the application may fail at that, too.
      return new IllegalStateException(thrown.getClass().getName() + ", which cannot say why");
    }
  }

  /** Why a value is no attribute. */
  static IllegalArgumentException unkept(Object value, String why, Throwable failed) {
    return new IllegalArgumentException(
        value.getClass().getName() + " cannot be kept in a session: " + why, failed);
  }

  /** Why bytes are no value in this process. */
  static UnreadableAttributeException unreadable(Throwable thrown) {
    Throwable failed = failure(thrown);
    return new UnreadableAttributeException("cannot be read here: " + failed, failed);
  }
}

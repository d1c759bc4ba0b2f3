package dev.tempest.runtime.node;

/**
 * A batch cannot go on as it was begun: nothing was written, and it begins again another way. It
 * has no stack trace: each batch on linearizable collections begins with one, and nobody reads it.
 */
abstract sealed class OtherWayException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private OtherWayException(String why) {
    super(why);
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  /** It writes, and was begun without looking for room. */
  static final class NoRoom extends OtherWayException {
    private static final long serialVersionUID = 1L;

    NoRoom() {
      super("nothing was written: this batch begins again once there is room for what it writes");
    }
  }

  /** It uses a linearizable collection, and was begun on eventual ones. */
  static final class Linearizable extends OtherWayException {
    private static final long serialVersionUID = 1L;

    Linearizable() {
      super("nothing was written: this batch begins again, on linearizable collections");
    }
  }
}

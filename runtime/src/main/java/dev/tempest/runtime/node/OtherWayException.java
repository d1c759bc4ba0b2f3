package dev.tempest.runtime.node;

/** A batch cannot go on as it was begun: nothing was written. */
abstract sealed class OtherWayException extends IllegalStateException
    permits OtherConsistencyException, OtherWayException.Again {
  private static final long serialVersionUID = 1L;

  OtherWayException(String why) {
    super(why);
  }

  /**
   * The batch begins again another way. Nobody sees this: so it has no stack trace, which each
   * batch on linearizable collections would take.
   */
  abstract static sealed class Again extends OtherWayException {
    private static final long serialVersionUID = 1L;

    private Again(String why) {
      super(why);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }

  /** It writes, and was begun without looking for room. */
  static final class NoRoom extends Again {
    private static final long serialVersionUID = 1L;

    NoRoom() {
      super("nothing was written: this batch begins again once there is room for what it writes");
    }
  }

  /** It uses a linearizable collection, and was begun on eventual ones. */
  static final class Linearizable extends Again {
    private static final long serialVersionUID = 1L;

    Linearizable() {
      super("nothing was written: this batch begins again, on linearizable collections");
    }
  }
}

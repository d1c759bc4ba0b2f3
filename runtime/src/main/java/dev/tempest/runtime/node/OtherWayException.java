package dev.tempest.runtime.node;

/** A batch cannot go on as it was begun: nothing was written, and it has to begin another way. */
sealed class OtherWayException extends IllegalStateException
    permits OtherConsistencyException, OtherWayException.NoRoom {
  private static final long serialVersionUID = 1L;

  OtherWayException(String why) {
    super(why);
  }

  /** It writes, and was begun without looking for room. */
  static final class NoRoom extends OtherWayException {
    private static final long serialVersionUID = 1L;

    NoRoom() {
      super("nothing was written: this batch begins again once there is room for what it writes");
    }
  }
}

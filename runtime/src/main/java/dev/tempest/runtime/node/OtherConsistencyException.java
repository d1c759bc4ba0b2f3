package dev.tempest.runtime.node;

/** A thread that executes an action on eventual collections uses a linearizable one. */
final class OtherConsistencyException extends OtherWayException {
  private static final long serialVersionUID = 1L;

  OtherConsistencyException() {
    super(
        "nothing was written: a linearizable collection was used within an action on eventual ones."
            + " Use it before or after that; a batch is of linearizable collections or of eventual"
            + " ones");
  }
}

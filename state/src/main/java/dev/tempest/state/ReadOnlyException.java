package dev.tempest.state;

/** A write in an action that only reads. */
public final class ReadOnlyException extends UnsupportedOperationException {
  private static final long serialVersionUID = 1L;

  /** Says what to do. */
  public ReadOnlyException() {
    super("this request only reads: declare the method as an update if it is to change the state");
  }
}

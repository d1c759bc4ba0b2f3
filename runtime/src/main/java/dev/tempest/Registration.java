package dev.tempest;

/** Something registered with a {@link Node}. */
public interface Registration extends AutoCloseable {
  /** Ends the registration. A call that has begun may go on; a second close does nothing. */
  @Override
  void close();
}

package dev.tempest;

/** Something registered with a {@link Node}. */
public interface Registration extends AutoCloseable {
  /** Ends it; a second time does nothing. A call under way may go on a moment longer. */
  @Override
  void close();
}

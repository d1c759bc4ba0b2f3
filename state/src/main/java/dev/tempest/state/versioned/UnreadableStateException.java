package dev.tempest.state.versioned;

/**
 * The state of a service holds what its code declares otherwise. The message names the collection,
 * the component, and both types. To go on without it would be to lose it.
 */
public final class UnreadableStateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what it holds, and what is declared. */
  public UnreadableStateException(String message) {
    super(message);
  }
}

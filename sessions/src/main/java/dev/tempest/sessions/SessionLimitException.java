package dev.tempest.sessions;

/**
 * A session or an attribute that is refused: there are too many, or it takes too many bytes. The
 * message says which limit it is, and how it is raised.
 */
public final class SessionLimitException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  SessionLimitException(String message) {
    super(message);
  }
}

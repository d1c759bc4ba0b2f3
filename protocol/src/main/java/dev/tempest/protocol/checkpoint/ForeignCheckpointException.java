package dev.tempest.protocol.checkpoint;

/**
 * A file is whole, and not for this process: of another format, cluster or service, or of types
 * that the service does not have. It stays as it is, and the message says which file it is and why.
 */
public final class ForeignCheckpointException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ForeignCheckpointException(String message) {
    super(message);
  }
}

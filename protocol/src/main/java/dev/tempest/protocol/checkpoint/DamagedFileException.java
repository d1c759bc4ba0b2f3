package dev.tempest.protocol.checkpoint;

import java.io.IOException;

/** A file does not hold what was once written into it. */
final class DamagedFileException extends IOException {
  private static final long serialVersionUID = 1;

  DamagedFileException(String message) {
    super(message);
  }
}

package dev.tempest.cli;

/** A command cannot go on; the message says what, where, and what to do. */
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  CommandException(int exitCode, String what, String where, String remedy) {
    super(what + "; " + where + "; " + remedy);
    this.exitCode = exitCode;
  }

  /** One of {@link ExitCode}. */
  int exitCode() {
    return exitCode;
  }
}

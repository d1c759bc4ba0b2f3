package dev.tempest.cli;

/** A command cannot go on; the message says what, where, and what to do. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  /**
   * Ends the command with an exit code and one line.
   *
   * @param exitCode one of {@link ExitCode}
   * @param what what is wrong
   * @param where which option, file or address it is about
   * @param remedy what to do
   */
  public CommandException(int exitCode, String what, String where, String remedy) {
    super(
        what
            + " ("
            + where
            + "). "
            + Character.toUpperCase(remedy.charAt(0))
            + remedy.substring(1));
    this.exitCode = exitCode;
  }

  /** One of {@link ExitCode}. */
  int exitCode() {
    return exitCode;
  }
}

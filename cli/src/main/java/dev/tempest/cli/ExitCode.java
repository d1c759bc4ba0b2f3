package dev.tempest.cli;

/** What the command line ends with; the higher ones are those of BSD's sysexits. */
final class ExitCode {
  static final int OK = 0;

  /** It was done, and the answer is no. */
  static final int NO = 1;

  /** Nobody can tell whether it was done. */
  static final int UNKNOWN = 2;

  /** The command was written wrongly. */
  static final int USAGE = 64;

  /** Nobody answers, or a port is taken. */
  static final int UNAVAILABLE = 69;

  /** A bug of ours. */
  static final int BUG = 70;

  /** The configuration cannot work. */
  static final int CONFIG = 78;

  private ExitCode() {}
}

package dev.tempest.cli;

/** What the command line ends with; the higher ones are those of BSD's sysexits. */
public final class ExitCode {
  /** It was done. */
  public static final int OK = 0;

  /** It was done, and the answer is no. */
  public static final int NO = 1;

  /** Nobody can tell whether it was done. */
  public static final int UNKNOWN = 2;

  /** The command was written wrongly. */
  public static final int USAGE = 64;

  /** Nobody answers, or a port is taken. */
  public static final int UNAVAILABLE = 69;

  /** A bug of ours. */
  public static final int BUG = 70;

  /** The configuration cannot work. */
  public static final int CONFIG = 78;

  private ExitCode() {}
}

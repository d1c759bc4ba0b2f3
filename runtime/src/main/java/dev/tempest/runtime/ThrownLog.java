package dev.tempest.runtime;

import dev.tempest.values.encoding.UserCode;
import java.lang.System.Logger.Level;

/** Logs what code of users threw: also where its message, code of theirs too, throws itself. */
public final class ThrownLog {
  private ThrownLog() {}

  /** Logs a sentence as a warning, with the stack trace if it can be printed. */
  public static void warn(System.Logger logger, String sentence, Throwable thrown) {
    try {
      logger.log(Level.WARNING, sentence, thrown);
    } catch (Throwable unprintable) {
      UserCode.rethrowIfFatal(unprintable);
      logger.log(Level.WARNING, "{0}: {1}", sentence, UserCode.describe(thrown));
    }
  }
}

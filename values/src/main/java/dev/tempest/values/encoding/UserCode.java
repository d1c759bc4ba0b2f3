package dev.tempest.values.encoding;

/**
 * The one rule for what code of users throws, wherever it is called: constructors of records, a
 * {@code compareTo}, formats, merge functions. It is about that value or that call, and the process
 * goes on, whatever class it is of. A full memory is nobody's value, and ends the process where
 * what is given would depend on it; not where bytes are made values, which can be made again, and
 * where who asks for {@code new int[Integer.MAX_VALUE]} is the value itself.
 */
public final class UserCode {
  private UserCode() {}

  /**
   * To be called first where {@link Throwable} is caught around code of users; but for listeners,
   * which nothing depends on, what makes values of bytes, and methods of services, of which it is
   * an outcome.
   */
  public static void rethrowIfFatal(Throwable thrown) {
    if (thrown instanceof OutOfMemoryError full) {
      throw full;
    }
  }

  /** Its class and its message, for people. */
  public static String describe(Throwable thrown) {
    String name = thrown.getClass().getName();
    String message = message(thrown);
    return message.isEmpty() ? name : name + ": " + message;
  }

  /** Its message, which is code of users, too; empty if there is none. */
  public static String message(Throwable thrown) {
    try {
      String message = thrown.getMessage();
      return message == null ? "" : message;
    } catch (Throwable itself) {
      return "its message cannot be had";
    }
  }
}

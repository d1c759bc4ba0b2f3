package dev.tempest.state.versioned;

/** What collections and merge functions may be called. */
public final class Names {
  /** The most characters in a name. */
  static final int LENGTH_MAX = 64;

  private Names() {}

  /**
   * Refuses what is no name.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static void require(String name) {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "Invalid name '" + name + "': use 1 to 64 characters of a-z, 0-9 and -");
    }
  }

  static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char letter = name.charAt(i);
      if ((letter < 'a' || letter > 'z') && (letter < '0' || letter > '9') && letter != '-') {
        return false;
      }
    }
    return !name.isEmpty() && name.length() <= LENGTH_MAX;
  }
}

package dev.tempest.protocol;

/** What has to hold of a machine after every step, whatever has happened. */
public final class Invariant {
  private Invariant() {}

  /**
   * Says that a machine has a bug, unless it holds.
   *
   * @param what has to hold, for people
   * @throws AssertionError if it does not
   */
  public static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("this no longer holds: " + what);
    }
  }
}

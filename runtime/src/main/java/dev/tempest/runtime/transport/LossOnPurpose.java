package dev.tempest.runtime.transport;

/** Datagrams that a process throws away on purpose, for demonstrations and tests. */
public final class LossOnPurpose {
  /** The system property that says how many of 100 incoming datagrams it throws away. */
  private static final String PERCENT_PROPERTY = "tempest.test.drop-percent";

  private LossOnPurpose() {}

  /** How many of 100, by endpoints that are opened now. */
  public static double percent() {
    return Double.parseDouble(System.getProperty(PERCENT_PROPERTY, "0"));
  }
}

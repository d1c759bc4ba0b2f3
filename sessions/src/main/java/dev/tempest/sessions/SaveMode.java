package dev.tempest.sessions;

/** Which attributes a request saves. */
public enum SaveMode {
  /** Those that it set or removed. */
  ON_SET,

  /**
   * Also those that it read and whose value has other bytes by then: for applications that change
   * values in place. What is read is encoded for that: when it is read, and when it is saved.
   */
  ON_GET,

  /**
   * All, whether they have changed or not: the last request wins, but for what it has neither read
   * nor set.
   */
  ALWAYS
}

package dev.tempest.simulator;

/**
 * What the services of the Tempest paper's scalability experiments do with their time (section
 * 4.3): compute, wait for a disk, or both, by about the same or by very different amounts.
 */
public enum ServiceKind {
  /** Computes; one request takes about as long as another. */
  CPU_SMALL("CPU, small variance", true, false, false),

  /** Computes; some requests take several times as long as most. */
  CPU_LARGE("CPU, large variance", true, false, true),

  /** Waits for four accesses to a disk. */
  IO_SMALL("I/O, small variance", false, true, false),

  /** Waits for accesses to a disk, four on average: one is the most frequent number. */
  IO_LARGE("I/O, large variance", false, true, true),

  /** Computes, and waits for four accesses to a disk, for half of its time each. */
  BOTH_SMALL("CPU and I/O, small variance", true, true, false),

  /** The same with large variance in both halves. */
  BOTH_LARGE("CPU and I/O, large variance", true, true, true),

  /** Takes no time: what is left is what Tempest takes. */
  NULL("null", false, false, false);

  private final String title;
  private final boolean computes;
  private final boolean waits;
  private final boolean varies;

  ServiceKind(String title, boolean computes, boolean waits, boolean varies) {
    this.title = title;
    this.computes = computes;
    this.waits = waits;
    this.varies = varies;
  }

  /** For people. */
  public String title() {
    return title;
  }

  boolean computes() {
    return computes;
  }

  boolean waits() {
    return waits;
  }

  boolean varies() {
    return varies;
  }
}

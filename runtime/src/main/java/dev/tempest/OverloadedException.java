package dev.tempest;

/**
 * The node refuses this for now, and nothing was written. It refuses writes while too many earlier
 * ones wait for a member that does not keep up: try again later, or find that member; writes after
 * which collections have more entries, while the memory of the process is all but full; and writes
 * and declarations while another thread stays in its batch. It refuses reads and writes of
 * linearizable collections, too, if no majority of the members answers in time, or if others came
 * first each time. The message says which.
 */
public final class OverloadedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a sentence that says why. */
  public OverloadedException(String message) {
    super(message);
  }
}

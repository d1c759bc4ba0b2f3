package dev.tempest;

/**
 * A write took effect at this node, but too few nodes confirmed in time that they have it. It is
 * not undone: it is still sent to the other nodes, and may have reached more of them than is known.
 * It is lost only if this node crashes before any other has it; or if this node was cut off for so
 * long that the others may have had the write and forgotten it: then it is given up, as listeners
 * of {@link Node#onReconciled} are told, and no node is known to have it.
 */
public final class MissingAcksException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int acks;

  /**
   * With what is known.
   *
   * @param acks how many nodes are known to have the write, this one included; 0 if it is given up
   * @param wanted how many were to have it
   * @param when the wait ended, for people
   */
  public MissingAcksException(int acks, int wanted, String when) {
    super(
        acks == 0
            ? "This node was cut off for so long that the others may have had the write and"
                + " forgotten it: it is given up. Read what is there before you write again"
            : "%s, %d of %d nodes were known to have the write. It is not undone: it stays here and"
                    .formatted(when, acks, wanted)
                + " is still sent to the others");
    this.acks = acks;
  }

  /** How many nodes are known to have the write, this one included; 0 if it is given up. */
  public int acks() {
    return acks;
  }
}

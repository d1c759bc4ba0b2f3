package dev.tempest;

/**
 * What happened to another member of the cluster, as seen by this process: members learn of each
 * other at different times.
 *
 * @param kind what has happened
 * @param address where the member is, or was, reached
 * @param name what people call it; empty if it has no name
 */
public record MemberChange(Kind kind, String address, String name) {
  /** What has happened. */
  public enum Kind {
    /** It is a member now. */
    JOINED,
    /** It said goodbye, or was silent for too long: the others go on without it. */
    LEFT,
    /** Nothing was heard of it for a few seconds. It may have ended, or be out of reach. */
    SILENT,
    /** It was silent, and is heard of again. */
    RETURNED
  }
}

package dev.tempest.protocol.membership;

/** Who lives at an address, as far as its system says, or whoever answers there at once. */
public enum Occupant {
  /** Nobody, or a process that is no member of this cluster. */
  NONE,
  /** Nothing is heard of its system either: that has ended, or the way to it is cut. */
  UNREACHABLE,
  /** A process that says nothing: it is busy or stopped, and may be a member. */
  SILENT,
  /** A member, which has not answered a probe yet. */
  MEMBER
}

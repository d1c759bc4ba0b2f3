package dev.tempest.sessions;

/** Why a session has ended. */
public enum SessionEnd {
  /** The application ended it. */
  INVALIDATED,
  /** Nobody asked for it for too long. */
  EXPIRED
}

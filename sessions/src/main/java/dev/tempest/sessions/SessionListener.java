package dev.tempest.sessions;

/**
 * Is told of sessions that begin and end. Each of these is told once in a cluster, at one of its
 * processes: where the session was created or invalidated; an expired one where the cluster chose.
 * A process that dies in that moment may take the news along, and so does a write of linearizable
 * sessions whose outcome is unknown. Two that invalidate a session before they hear of each other
 * both tell, unless sessions are linearizable. The thread that calls waits for the listener; what
 * it throws is logged.
 */
public interface SessionListener {
  /** A session has begun. */
  void created(Session session);

  /**
   * A session has ended.
   *
   * @param session with the attributes that it had; what is set on it has no effect
   */
  void ended(Session session, SessionEnd why);
}

package dev.tempest.admin;

import java.util.OptionalLong;

/**
 * The status of a service's replica on one node. {@code executed} and {@code unsettled} count
 * updates in the state; the other counts begin with the node's process.
 *
 * @param name the name of the service
 * @param active whether the replica has state and serves; one that has state and does not serve is
 *     suspended: its code is too old for what others have executed
 * @param role what it is among the replicas
 * @param executed updates in the state of this replica
 * @param hash of those: replicas with equal counts and hashes have executed the same. One that has
 *     found that it came to another state has another hash until it has taken theirs
 * @param unsettled of those, the ones whose place in the order may still change
 * @param late updates that arrived after later ones
 * @param rerun updates executed again because of those
 * @param repaired updates that came from other replicas: of services, because a datagram was lost;
 *     of collections, and with {@code execute: any}, all that others wrote
 * @param reads reads served
 * @param byVotes with {@code ballots: fast}, updates for which this replica voted and that count as
 *     it did: their clients were answered after two message delays, if they heard enough replicas
 * @param diverged how often the same updates had led to another state than elsewhere
 * @param lagMillis the age of the oldest update that is not settled, 0 if all are; empty while the
 *     replica has no state
 * @param checkpointMillis so long ago the replica had no more than its latest checkpoint holds;
 *     empty if it has none
 * @param checkpointFailing whether a later one could not be written: the log of the node says why
 */
public record ServiceStatus(
    String name,
    boolean active,
    Role role,
    long executed,
    long hash,
    long unsettled,
    long late,
    long rerun,
    long repaired,
    long reads,
    long byVotes,
    long diverged,
    OptionalLong lagMillis,
    OptionalLong checkpointMillis,
    boolean checkpointFailing) {
  /** What a replica is among those of its service. */
  public enum Role {
    /** Order by time: all are equal. */
    PEER,
    /** Order by consensus: it follows a leader, or looks for one. */
    FOLLOWER,
    /** Order by consensus: it executes, and gives updates their places; the primary does. */
    LEADER,
    /** With a primary: it has no copy of the state, and takes the place of a server that ends. */
    SPARE
  }

  /** Updates in the state whose place in the order is final. */
  public long settled() {
    return executed - unsettled;
  }
}

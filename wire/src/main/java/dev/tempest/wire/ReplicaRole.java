package dev.tempest.wire;

/**
 * What a replica is among those of its service. Each has a number of its own on the wire, not its
 * ordinal.
 */
public enum ReplicaRole {
  /** All are equal: there is no leader. */
  PEER,
  /** It follows a leader, or looks for one. */
  FOLLOWER,
  /** It executes, and gives updates their places. */
  LEADER,
  /** It has no copy, and takes the place of one that ends. */
  SPARE
}

package dev.tempest.bench;

import java.util.List;

/**
 * How replicas learn an update that {@code faults} of them may fail before (Zhang, chapter V).
 *
 * @param replicas how many there are
 * @param enough how many have to accept it
 * @param hasLeader whether clients send to one that passes it on; else they send to all
 */
record Quorums(String protocol, int faults, int replicas, int enough, boolean hasLeader) {
  private static Quorums classic(int faults) {
    return new Quorums("Classic Paxos", faults, 2 * faults + 1, faults + 1, true);
  }

  private static Quorums fast(int faults) {
    return new Quorums("Fast Paxos", faults, 3 * faults + 1, 2 * faults + 1, false);
  }

  /** A majority is enough if whoever takes over hears all. */
  private static Quorums flexible(int faults) {
    int replicas = 3 * faults + 1;
    return new Quorums("Fast Flexible Paxos", faults, replicas, replicas / 2 + 1, false);
  }

  static List<Quorums> all(int faults) {
    return List.of(classic(faults), fast(faults), flexible(faults));
  }

  /** How long it takes until one replica has learned it. */
  Times learning(Times wide, Times local) {
    return hasLeader
        ? wide.then(local.then(local).untilSome(replicas, enough))
        : wide.then(local).untilSome(replicas, enough);
  }

  /**
   * How likely two updates keep each other from enough replicas.
   *
   * @param first how likely a replica hears the first one first
   */
  double collision(double first) {
    return 1 - Times.atLeast(replicas, enough, first) - Times.atLeast(replicas, enough, 1 - first);
  }
}

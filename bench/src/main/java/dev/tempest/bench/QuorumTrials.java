package dev.tempest.bench;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Draws every message of a case, again and again. Not thread-safe. */
final class QuorumTrials {
  private final Network network;
  private final Quorums quorums;
  private final int count;
  private final SplittableRandom random;

  QuorumTrials(Network network, Quorums quorums, int count, SplittableRandom random) {
    this.network = network;
    this.quorums = quorums;
    this.count = count;
    this.random = random;
  }

  /** When a replica had learned an update that its client sent at 0: all trials, sorted. */
  double[] learned() {
    double[] millis = new double[count];
    for (int trial = 0; trial < count; trial++) {
      millis[trial] = quorums.hasLeader() ? draw(network.wide()) + accepted() : accepted();
    }
    Arrays.sort(millis);
    return millis;
  }

  private double accepted() {
    double[] accepted = new double[quorums.replicas()];
    for (int i = 0; i < accepted.length; i++) {
      Latency sent = quorums.hasLeader() ? network.local() : network.wide();
      accepted[i] = draw(sent) + draw(network.local());
    }
    Arrays.sort(accepted);
    return accepted[quorums.enough() - 1];
  }

  /** How often two updates kept each other from enough replicas; one is sent so much later. */
  double collisions(double delayMillis) {
    int collisions = 0;
    for (int trial = 0; trial < count; trial++) {
      int first = 0;
      for (int i = 0; i < quorums.replicas(); i++) {
        first += draw(network.wide()) <= draw(network.wide()) + delayMillis ? 1 : 0;
      }
      int second = quorums.replicas() - first;
      collisions += Math.max(first, second) < quorums.enough() ? 1 : 0;
    }
    return (double) collisions / count;
  }

  private double draw(Latency message) {
    return message.quantile(random.nextDouble());
  }

  /** The part of all numbers that are no larger. */
  static double part(double[] sorted, double most) {
    int at = Arrays.binarySearch(sorted, Math.nextUp(most));
    return (double) (at < 0 ? -at - 1 : at) / sorted.length;
  }
}

package dev.tempest.simulator;

import java.util.Arrays;

/**
 * What lies between the processes: datagrams that get lost, doubled, damaged and overtaken, streams
 * that break.
 */
final class Network {
  /**
   * How bad it is.
   *
   * @param lossPercent datagrams that do not arrive
   * @param duplicatePercent datagrams that arrive twice
   * @param damagePercent datagrams that arrive with a few bits flipped
   * @param delayMinNanos what every datagram takes
   * @param delayMeanNanos what it takes in addition, on average
   * @param stragglerPercent datagrams that take much longer
   * @param stragglerMaxNanos how much longer at most
   */
  record Conditions(
      int lossPercent,
      int duplicatePercent,
      int damagePercent,
      long delayMinNanos,
      long delayMeanNanos,
      int stragglerPercent,
      long stragglerMaxNanos) {
    /** Half as much is lost, nothing is damaged or late for long. */
    Conditions healed() {
      return new Conditions(
          lossPercent / 2, duplicatePercent, 0, delayMinNanos, delayMeanNanos, 0, 0);
    }
  }

  /** Counts of datagrams. */
  record Counts(long sent, long lost, long duplicated, long damaged, long streamsBroken) {}

  /** Takes what arrives. */
  interface Receiver {
    void arrived(int from, int to, byte[] frame, boolean damaged, boolean stream);
  }

  private static final long STREAM_SETUP_NANOS = 500_000;
  private static final long STREAM_NANOS_PER_BYTE = 10;

  private final Agenda agenda;
  private final Randomness random;
  private final Receiver receiver;
  private final int[][] cuts;
  private final long[][] streamBreaks;
  private final long[][] streamFreeAt;
  private Conditions conditions;
  private long sent;
  private long lost;
  private long duplicated;
  private long damaged;
  private long streamsBroken;

  Network(Agenda agenda, Randomness random, int nodes, Conditions conditions, Receiver receiver) {
    this.agenda = agenda;
    this.random = random;
    this.conditions = conditions;
    this.receiver = receiver;
    this.cuts = new int[nodes][nodes];
    this.streamBreaks = new long[nodes][nodes];
    this.streamFreeAt = new long[nodes][nodes];
  }

  Conditions conditions() {
    return conditions;
  }

  void conditions(Conditions now) {
    conditions = now;
  }

  /** Nothing gets from one to the other any more. Cuts add up: each has to be mended. */
  void cut(int from, int to) {
    cuts[from][to]++;
    streamBreaks[from][to]++;
    streamBreaks[to][from]++;
  }

  /** Takes back one cut. */
  void mend(int from, int to) {
    cuts[from][to] = Math.max(0, cuts[from][to] - 1);
  }

  /** Whether nothing is cut that way. */
  boolean connects(int from, int to) {
    return cuts[from][to] == 0;
  }

  void mendAll() {
    for (int[] row : cuts) {
      Arrays.fill(row, 0);
    }
  }

  /** A process went down: its streams break. */
  void down(int node) {
    for (int other = 0; other < cuts.length; other++) {
      streamBreaks[node][other]++;
      streamBreaks[other][node]++;
    }
  }

  void datagram(int from, int to, byte[] frame) {
    sent++;
    if (cuts[from][to] > 0 || random.chance(conditions.lossPercent)) {
      lost++;
      return;
    }
    deliver(from, to, frame);
    if (random.chance(conditions.duplicatePercent)) {
      duplicated++;
      deliver(from, to, frame);
    }
  }

  private void deliver(int from, int to, byte[] frame) {
    boolean damage = random.chance(conditions.damagePercent);
    damaged += damage ? 1 : 0;
    byte[] arriving = damage ? Frames.damaged(frame, random) : frame;
    agenda.after(delayNanos(), () -> receiver.arrived(from, to, arriving, damage, false));
  }

  private long delayNanos() {
    long delay = conditions.delayMinNanos + random.around(conditions.delayMeanNanos);
    return random.chance(conditions.stragglerPercent)
        ? delay + random.between(0L, conditions.stragglerMaxNanos)
        : delay;
  }

  /** Sends on a stream: it arrives whole and in order, or the stream breaks. */
  void stream(int from, int to, byte[] frame) {
    sent++;
    if (cuts[from][to] > 0 || cuts[to][from] > 0) {
      streamsBroken++;
      return;
    }
    long start = Math.max(agenda.nowNanos() + STREAM_SETUP_NANOS, streamFreeAt[from][to]);
    long arrival =
        start
            + frame.length * STREAM_NANOS_PER_BYTE
            + conditions.delayMinNanos
            + random.around(conditions.delayMeanNanos);
    streamFreeAt[from][to] = arrival;
    long breaks = streamBreaks[from][to];
    agenda.at(
        arrival,
        () -> {
          if (streamBreaks[from][to] == breaks) {
            receiver.arrived(from, to, frame, false, true);
          } else {
            streamsBroken++;
          }
        });
  }

  Counts counts() {
    return new Counts(sent, lost, duplicated, damaged, streamsBroken);
  }
}

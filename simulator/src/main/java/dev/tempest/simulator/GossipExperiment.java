package dev.tempest.simulator;

/**
 * What gossip costs, and how fast it is, with ever more replicas and ever more updates behind them.
 *
 * <p>The replicas are those that users run; their clocks are exact, and a message takes half a
 * millisecond. Everything follows from the seed.
 */
public final class GossipExperiment {
  /** So much of a gossip round is too short to have a say. */
  private static final int LOOK_EVERY_MILLIS = 5;

  private static final long SPREAD_MAX_MILLIS = 60_000;

  /** Updates that go on while the bytes are counted. */
  private static final int LATER_UPDATES = 100;

  private static final int LATER_EVERY_MILLIS = 100;
  private static final int UPDATES_PER_MILLI = 20;

  /** Closing an epoch takes a second, agreeing on it some rounds. */
  private static final int SETTLING_MILLIS = 5_000;

  /** What the identifier of one update takes where updates are remembered one by one. */
  private static final int ID_BYTES = 16;

  private GossipExperiment() {}

  /**
   * How an update that only one replica got came to all.
   *
   * @param millis from the moment when it was executed first until all had it
   * @param rounds the same in gossip intervals
   * @param messagesPerRound what one replica sent in an interval meanwhile
   * @param bytesPerRound the same in bytes
   */
  public record Dissemination(
      int replicas, double millis, double rounds, double messagesPerRound, double bytesPerRound) {}

  /**
   * What replicas say to each other after so many updates, while ten a second go on.
   *
   * @param messagesPerRound what one replica sent in a gossip interval
   * @param bytesPerRound the same in bytes
   * @param setBytes what the paper's own set of all identifiers would take in each message
   */
  public record Talk(
      int replicas, long updates, double messagesPerRound, double bytesPerRound, long setBytes) {}

  /** Lets an update come from one replica to all. */
  public static Dissemination disseminate(int replicas, int gossipMillis, long seed) {
    GossipGroup group = new GossipGroup(replicas, gossipMillis, seed);
    long messages = group.messages();
    long bytes = group.bytes();
    group.update(1);
    long millis = 0;
    while (group.upToDate() < replicas) {
      if (millis >= SPREAD_MAX_MILLIS) {
        throw new AssertionError("an update has not come to all replicas in a minute");
      }
      group.runMillis(LOOK_EVERY_MILLIS);
      millis += LOOK_EVERY_MILLIS;
    }
    double rounds = (double) millis / gossipMillis;
    return new Dissemination(
        replicas,
        millis,
        rounds,
        (group.messages() - messages) / rounds / replicas,
        (group.bytes() - bytes) / rounds / replicas);
  }

  /** Lets replicas talk that have executed so many updates. */
  public static Talk talk(int replicas, long updates, int gossipMillis, long seed) {
    GossipGroup group = new GossipGroup(replicas, gossipMillis, seed);
    for (long sent = 0; sent < updates; sent++) {
      group.update(replicas);
      if (sent % UPDATES_PER_MILLI == 0) {
        group.runMillis(1);
      }
    }
    group.runMillis(SETTLING_MILLIS);
    long messages = group.messages();
    long bytes = group.bytes();
    for (int later = 0; later < LATER_UPDATES; later++) {
      group.update(replicas);
      group.runMillis(LATER_EVERY_MILLIS);
    }
    double rounds = (double) LATER_UPDATES * LATER_EVERY_MILLIS / gossipMillis;
    return new Talk(
        replicas,
        updates,
        (group.messages() - messages) / rounds / replicas,
        (group.bytes() - bytes) / rounds / replicas,
        (updates + LATER_UPDATES) * ID_BYTES);
  }
}

package dev.tempest.simulator;

/** A client of a front-end: asks, waits for the end, thinks, asks again. */
final class Client {
  private static final int DEADLINE_MIN_MILLIS = 200;
  private static final int DEADLINE_MAX_MILLIS = 5_000;

  private final Cluster cluster;
  private final FrontEndProcess frontEnd;
  private final Randomness random;
  private final long untilNanos;
  private final long thinkNanos;
  private int left;

  private Client(
      Cluster cluster,
      FrontEndProcess frontEnd,
      Randomness random,
      int operations,
      long untilMillis) {
    this.cluster = cluster;
    this.frontEnd = frontEnd;
    this.random = random;
    this.left = operations;
    this.untilNanos = untilMillis * 1_000_000;
    this.thinkNanos = untilNanos / (operations + 1);
  }

  /** Lets a client ask for so many things, spread over the time until then, but none after it. */
  static void start(
      Cluster cluster,
      FrontEndProcess frontEnd,
      Randomness random,
      int operations,
      long untilMillis) {
    new Client(cluster, frontEnd, random, operations, untilMillis).think();
  }

  private void think() {
    cluster.at(cluster.nowNanos() + random.around(thinkNanos), this::ask);
  }

  private void ask() {
    if (left == 0 || cluster.nowNanos() > untilNanos) {
      return;
    }
    if (!frontEnd.isUp()) {
      think();
      return;
    }
    left--;
    long deadlineMillis = random.between(DEADLINE_MIN_MILLIS, DEADLINE_MAX_MILLIS);
    frontEnd.submit(cluster.workload().next(random), deadlineMillis, this::think);
  }
}

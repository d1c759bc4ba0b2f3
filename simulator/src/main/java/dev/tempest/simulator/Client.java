package dev.tempest.simulator;

import org.jspecify.annotations.Nullable;

/** A client of a front-end: asks, waits for the end, thinks, asks again. */
final class Client {
  private static final int DEADLINE_MIN_MILLIS = 200;
  private static final int DEADLINE_MAX_MILLIS = 5_000;
  private static final int CHAIN_PERCENT = 50;
  private static final int HANDLE_PERCENT = 20;
  private static final int HURRY_PERCENT = 60;
  private static final long HURRY_NANOS = 3_000_000;

  private final Cluster cluster;
  private final FrontEndProcess frontEnd;
  private final Randomness random;
  private final long untilNanos;
  private final long thinkNanos;
  private final @Nullable SimChain chain;
  private @Nullable Operation asked;
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
    this.chain = random.chance(CHAIN_PERCENT) ? cluster.newChain() : null;
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
    cluster.at(cluster.nowNanos() + thinkNanos(), this::ask);
  }

  /** In a chain often so little that not all replicas have heard of what it saw. */
  private long thinkNanos() {
    boolean hurries = chain != null && random.chance(HURRY_PERCENT);
    return random.around(hurries ? HURRY_NANOS : thinkNanos);
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
    int rememberedMillis = cluster.parameters().memory().atLeastMillis();
    long deadlineMillis =
        random.between(DEADLINE_MIN_MILLIS, Math.min(DEADLINE_MAX_MILLIS, rememberedMillis / 2));
    SimChain own = chain;
    if (own == null) {
      frontEnd.submit(cluster.workload().next(random), deadlineMillis, this::think);
      return;
    }
    if (random.chance(HANDLE_PERCENT)) {
      own.take(random.pick(cluster.chains()));
    }
    asked = frontEnd.submit(own.next(cluster.workload(), random), deadlineMillis, own, this::ended);
  }

  private void ended() {
    if (chain != null && asked != null) {
      chain.ended(cluster.workload(), asked);
    }
    think();
  }
}

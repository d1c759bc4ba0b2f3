package dev.tempest.simulator;

/** What a world is made of. */
public enum Subject {
  /** A service on servers, and front-ends whose clients ask it. */
  SERVICE,
  /** Processes that write into collections by themselves, and come and go. */
  COLLECTIONS,
  /** A service whose servers agree on each update, and clients that count. */
  CONSENSUS,
  /** Processes whose threads use collections on whose contents they agree. */
  LINEARIZABLE,
  /** Replicas that agree on a log, and nothing else. */
  LOG
}

package dev.tempest.simulator;

/** What a world is made of. */
public enum Subject {
  /** A service on servers, and front-ends whose clients ask it. */
  SERVICE,
  /** Processes that write into collections by themselves, and come and go. */
  COLLECTIONS;

  World world(long seed) {
    return switch (this) {
      case SERVICE -> World.of(seed);
      case COLLECTIONS -> World.ofCollections(seed);
    };
  }
}

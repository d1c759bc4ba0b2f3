package dev.tempest.protocol.frontend;

import java.util.TreeSet;

/** A client's counts for one service, and what its answers take. */
final class Numbers {
  final TreeSet<Long> underWay = new TreeSet<>();
  final Latency updating = new Latency();
  final Latency reading = new Latency();
  long updates;
  long reads;

  /** The client has all answers to updates below this sequence. */
  long answeredBelow() {
    return underWay.isEmpty() ? 1 : underWay.first();
  }
}

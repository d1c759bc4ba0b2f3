package dev.tempest.bench;

/**
 * A ratio of what was measured in the same rounds.
 *
 * @param what over what
 * @param goal what it is to be, in words; empty if nothing
 */
record RoundRatio(String what, Spread measured, String goal) {
  String toText() {
    return "%s: %s%s".formatted(what, measured, goal.isEmpty() ? "" : ", to be " + goal);
  }
}

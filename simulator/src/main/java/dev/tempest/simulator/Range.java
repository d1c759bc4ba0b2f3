package dev.tempest.simulator;

/** Between which bounds a seed chooses, both included. */
record Range(int min, int max) {
  Range {
    if (min < 0 || max < min) {
      throw new IllegalArgumentException("no range: " + min + " to " + max);
    }
  }

  int draw(Randomness random) {
    return random.between(min, max);
  }
}

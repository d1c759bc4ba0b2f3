package dev.tempest.bench;

import java.util.List;

/**
 * A number beside what it is to be.
 *
 * @param what was measured, with its unit
 * @param measured its median counts
 */
record Goal(String what, Spread measured, Sense sense, double bound) {
  /** On which side of the bound. */
  enum Sense {
    AT_MOST("at most"),
    AT_LEAST("at least"),

    /** On either: the number is only shown. */
    ANY("");

    private final String words;

    Sense(String words) {
      this.words = words;
    }
  }

  boolean isReached() {
    return switch (sense) {
      case AT_MOST -> measured.median() <= bound;
      case AT_LEAST -> measured.median() >= bound;
      case ANY -> true;
    };
  }

  List<String> toRow() {
    return sense == Sense.ANY
        ? List.of(what, measured.toString(), "", "")
        : List.of(
            what,
            measured.toString(),
            sense.words + " " + Spread.number(bound),
            isReached() ? "reached" : "NOT reached");
  }

  /** A line of its own in the results. */
  Point toPoint() {
    Point point =
        Point.of(
            "goal", what,
            "median", measured.median(),
            "lowest", measured.lowest(),
            "highest", measured.highest());
    return sense == Sense.ANY
        ? point
        : point.with("sense", sense.words, "bound", bound, "reached", isReached());
  }
}

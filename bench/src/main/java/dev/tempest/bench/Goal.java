package dev.tempest.bench;

/**
 * A number beside what it is to be.
 *
 * @param what was measured, with its unit
 * @param measured its median counts
 * @param sense {@code at most} or {@code at least}; empty for a number that is only shown
 */
public record Goal(String what, Spread measured, String sense, double bound) {
  private static final String AT_MOST = "at most";
  private static final String AT_LEAST = "at least";

  /** To be at most so much. */
  public static Goal atMost(double bound, String what, Spread measured) {
    return new Goal(what, measured, AT_MOST, bound);
  }

  /** To be at least so much. */
  public static Goal atLeast(double bound, String what, Spread measured) {
    return new Goal(what, measured, AT_LEAST, bound);
  }

  /** Only shown. */
  public static Goal shown(String what, Spread measured) {
    return new Goal(what, measured, "", 0);
  }

  boolean isReached() {
    return switch (sense) {
      case AT_MOST -> measured.median() <= bound;
      case AT_LEAST -> measured.median() >= bound;
      default -> true;
    };
  }

  String toBe() {
    return sense.isEmpty() ? "" : sense + " " + Spread.number(bound);
  }

  String outcome() {
    return sense.isEmpty() ? "" : isReached() ? "reached" : "NOT reached";
  }

  /** A line of its own in the results. */
  Point toPoint() {
    Point point =
        Point.of(
            "goal", what,
            "median", measured.median(),
            "lowest", measured.lowest(),
            "highest", measured.highest());
    return sense.isEmpty()
        ? point
        : point.with(sense.equals(AT_MOST) ? "atMost" : "atLeast", bound, "reached", isReached());
  }
}

package dev.tempest.bench;

/**
 * How long something takes that is made of messages: a probability for each of many short spans,
 * from 0 on. What takes longer than all of them is left out. Immutable.
 */
final class Times {
  private final double spanMillis;
  private final double[] masses;

  private Times(double spanMillis, double[] masses) {
    this.spanMillis = spanMillis;
    this.masses = masses;
  }

  /** Of one message. */
  static Times of(Latency message, double spanMillis, int spans) {
    double[] masses = new double[spans];
    for (int i = 0; i < spans; i++) {
      masses[i] = message.within((i + 1) * spanMillis) - message.within(i * spanMillis);
    }
    return new Times(spanMillis, masses);
  }

  /** One after the other. */
  Times then(Times other) {
    double[] both = new double[masses.length];
    for (int i = 0; i < masses.length; i++) {
      for (int j = 0; i + j < masses.length; j++) {
        double half = masses[i] * other.masses[j] / 2;
        both[i + j] += half; // The middles of two spans add up to the end of one.
        if (i + j + 1 < masses.length) {
          both[i + j + 1] += half;
        }
      }
    }
    return new Times(spanMillis, both);
  }

  /** All begin at once; when so many of them have ended. */
  Times untilSome(int all, int enough) {
    double[] some = new double[masses.length];
    double one = 0;
    double before = 0;
    for (int i = 0; i < masses.length; i++) {
      one += masses[i];
      double now = atLeast(all, enough, Math.min(1, one));
      some[i] = now - before;
      before = now;
    }
    return new Times(spanMillis, some);
  }

  /** The part of all that take no longer. */
  double within(double millis) {
    double part = 0;
    int whole = Math.min(masses.length, (int) (millis / spanMillis));
    for (int i = 0; i < whole; i++) {
      part += masses[i];
    }
    return whole == masses.length ? part : part + masses[whole] * (millis / spanMillis - whole);
  }

  /** How likely at least so many of all happen, each with this probability. */
  static double atLeast(int all, int some, double each) {
    double sum = 0;
    for (int count = some; count <= all; count++) {
      sum += choose(all, count) * Math.pow(each, count) * Math.pow(1 - each, all - count);
    }
    return sum;
  }

  private static double choose(int all, int some) {
    double ways = 1;
    for (int i = 0; i < some; i++) {
      ways = ways * (all - i) / (i + 1);
    }
    return ways;
  }
}

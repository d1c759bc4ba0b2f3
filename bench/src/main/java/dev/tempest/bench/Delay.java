package dev.tempest.bench;

import java.io.Serializable;
import java.util.SplittableRandom;

/**
 * How long what is sent is under way: so long at least, and some time more, which is exponentially
 * distributed.
 */
record Delay(double leastMillis, double meanMoreMillis) implements Serializable {
  long nextNanos(SplittableRandom random) {
    double more = -meanMoreMillis * Math.log(1 - random.nextDouble());
    return Math.round(1e6 * (leastMillis + more));
  }
}

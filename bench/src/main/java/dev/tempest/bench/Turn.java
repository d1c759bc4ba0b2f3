package dev.tempest.bench;

import java.io.IOException;

/** What is measured again and again, by turns with others. */
record Turn(String name, Measuring measuring) {
  /** Measures one point. */
  @FunctionalInterface
  interface Measuring {
    /** Measures. */
    Point measure() throws IOException, InterruptedException;
  }
}

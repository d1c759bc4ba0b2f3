package dev.tempest.bench;

import java.time.Duration;

/** Keeps so many processors busy, as whatever else runs on a machine does, when it is told to. */
record BusyLoops(int count) implements Program.Answers<Duration, String> {
  @Override
  public String answer(Duration duration) {
    long endNanos = System.nanoTime() + duration.toNanos();
    for (int loop = 0; loop < count; loop++) {
      Thread.ofPlatform().daemon().name("busy " + loop).start(() -> spinUntil(endNanos));
    }
    return "";
  }

  static void spinUntil(long nanos) {
    while (System.nanoTime() - nanos < 0) {
      Thread.onSpinWait();
    }
  }
}

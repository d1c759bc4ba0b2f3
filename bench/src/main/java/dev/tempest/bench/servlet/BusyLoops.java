package dev.tempest.bench.servlet;

import dev.tempest.bench.load.Program;

/** Keeps processors busy, as whatever else runs on a machine does. */
record BusyLoops(int count) implements Program<String, String> {
  @Override
  public Answers<String, String> start() {
    for (int loop = 0; loop < count; loop++) {
      Thread.ofPlatform().daemon().name("busy " + loop).start(BusyLoops::spin);
    }
    return question -> "";
  }

  private static void spin() {
    while (true) {
      Thread.onSpinWait();
    }
  }
}

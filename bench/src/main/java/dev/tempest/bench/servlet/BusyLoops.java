package dev.tempest.bench.servlet;

import dev.tempest.bench.load.ChildMain;
import java.io.IOException;

/** A process that keeps processors busy, as whatever else runs on a machine does. */
public final class BusyLoops {
  private BusyLoops() {}

  /** Runs loops until the parent is gone. Argument: how many. */
  public static void main(String[] args) throws IOException {
    for (int loop = 0; loop < Integer.parseInt(args[0]); loop++) {
      Thread.ofPlatform().daemon().name("busy " + loop).start(BusyLoops::spin);
    }
    ChildMain.serve();
  }

  private static void spin() {
    while (true) {
      Thread.onSpinWait();
    }
  }
}

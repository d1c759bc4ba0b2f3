package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import java.util.List;

/** Tells people once that a replica cannot execute what others have executed, and once it can. */
final class Suspension {
  private final Window window;
  private boolean isTold;

  Suspension(Window window) {
    this.window = window;
  }

  void look(List<Effect> effects) {
    String cannot = window.cannot();
    if (isTold != (cannot != null)) {
      isTold = !isTold;
      effects.add(cannot == null ? new Effect.Resumed() : new Effect.Suspended(cannot));
    }
  }
}

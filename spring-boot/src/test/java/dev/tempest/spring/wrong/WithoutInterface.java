package dev.tempest.spring.wrong;

import dev.tempest.spring.TempestService;
import dev.tempest.state.State;

/** No service: nobody could call it. */
@TempestService("wrong")
public final class WithoutInterface {
  /** As a service has it. */
  public WithoutInterface(State state) {
    state.counter("counter");
  }
}

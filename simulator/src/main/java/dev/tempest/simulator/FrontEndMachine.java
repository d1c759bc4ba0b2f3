package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Requests;
import dev.tempest.protocol.order.Routing;
import java.util.List;

/** A front-end as a world sees it: the production one, or a canary around it. */
interface FrontEndMachine {
  List<Requests.Effect> step(Requests.Event event);

  long nextTickNanos();

  void checkInvariants();

  /** How the machines of a world are made. */
  @FunctionalInterface
  interface Factory {
    FrontEndMachine create(Requests.Settings settings, Routing routing);
  }

  static FrontEndMachine production(Requests.Settings settings, Routing routing) {
    return new Production(new Requests(settings, routing));
  }

  /** The machine that users run. */
  record Production(Requests requests) implements FrontEndMachine {
    @Override
    public List<Requests.Effect> step(Requests.Event event) {
      return requests.step(event);
    }

    @Override
    public long nextTickNanos() {
      return requests.nextTickNanos();
    }

    @Override
    public void checkInvariants() {
      requests.checkInvariants();
    }
  }
}

package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message;
import java.util.ArrayList;
import java.util.List;

/** A network without losses between machines that do not fail. */
final class Lan {
  private static final long DELAY_MIN_NANOS = 50_000;
  private static final long DELAY_MAX_NANOS = 150_000;

  /** A process at the network. */
  interface Station {
    void arrived(Address from, Message message);
  }

  private final Agenda agenda;
  private final Randomness random;
  private final List<Station> stations = new ArrayList<>();

  Lan(Agenda agenda, long seed) {
    this.agenda = agenda;
    this.random = new Randomness(seed);
  }

  /** Gives a process its address. */
  SimAddress add(Station station) {
    stations.add(station);
    return new SimAddress(stations.size() - 1);
  }

  void send(SimAddress from, SimAddress to, Message message) {
    agenda.after(
        random.between(DELAY_MIN_NANOS, DELAY_MAX_NANOS),
        () -> stations.get(to.node()).arrived(from, message));
  }
}

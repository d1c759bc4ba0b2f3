package dev.tempest.runtime.frontend;

import dev.tempest.FrontEndConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EndpointConfig;
import dev.tempest.runtime.transport.LossOnPurpose;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.runtime.transport.PeerAddress;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The drivers of this process, one for all front-ends that say the same of where their servers are:
 * opened for the first of them, closed with the last.
 *
 * <p>Thread-safe.
 */
final class Drivers {
  private static final Drivers OF_PROCESS = new Drivers();

  /** What the sockets depend on. */
  private record Place(String cluster, List<String> servers, int multicastPort, double drop) {
    Place(FrontEndConfig config) {
      this(config.cluster(), config.servers(), config.multicastPort(), LossOnPurpose.percent());
    }
  }

  private static final class Shared {
    final Driver driver;
    int users;

    Shared(Driver driver) {
      this.driver = driver;
    }
  }

  private final SecureRandom random = new SecureRandom();
  private final Map<Place, Shared> open = new HashMap<>();

  private Drivers() {}

  static Drivers ofProcess() {
    return OF_PROCESS;
  }

  /** 64 random bits. */
  long newClient() {
    return random.nextLong();
  }

  /** The driver for a front-end that opens; {@link #release} it once. */
  synchronized Driver take(FrontEndConfig config) {
    Place place = new Place(config);
    Shared shared = open.get(place);
    if (shared == null || shared.driver.isClosed()) {
      shared = new Shared(open(config));
      open.put(place, shared);
    }
    shared.users++;
    return shared.driver;
  }

  /** A front-end has closed that used a driver. */
  void release(FrontEndConfig config, Driver driver) {
    if (isUnused(new Place(config), driver)) {
      driver.close();
    }
  }

  private synchronized boolean isUnused(Place place, Driver driver) {
    Shared shared = open.get(place);
    if (shared == null || !shared.driver.equals(driver)) {
      return true; // It closed by itself, and others use another one since.
    }
    if (--shared.users == 0) {
      open.remove(place);
      return true;
    }
    return false;
  }

  private Driver open(FrontEndConfig config) {
    long self = newClient();
    long cluster = NameHash.of(config.cluster());
    double drop = LossOnPurpose.percent();
    MonotonicClock clock = MonotonicClock.ofProcess();
    Channel channel =
        new NetworkChannel(
            config,
            PeerAddress::all,
            local -> Endpoint.open(new EndpointConfig(local, 0, cluster, self, drop, self)),
            clock);
    return new Driver(channel, self, clock);
  }
}

package dev.tempest.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What befalls three servers, one thing after the other: they are killed, stopped, parted and made
 * deaf.
 */
final class Blows {
  private static final int SERVERS = 3;

  /** Where they run. */
  static final List<Integer> HOSTS = IntStream.rangeClosed(1, SERVERS).boxed().toList();

  /** Longer than an election, and some longer than the deadline of the clients. */
  private static final int FAULT_MIN_MILLIS = 300;

  private static final int FAULT_MAX_MILLIS = 1_700;

  /** Between two faults: a process that has started takes the place of the one before it. */
  private static final long CALM_MILLIS = 500;

  /** What happens to a server, or to all but one. */
  private enum Fault {
    KILL(true),
    STOP(true),
    /** The clients still reach all of them. */
    PART_FROM_OTHERS(true),
    CUT_OFF(false),
    HEAR_NOBODY(false),
    BE_HEARD_BY_NOBODY(false),
    STOP_OTHERS(false),
    PART_ALL(false),
    /** Of those that survive it. */
    KILL_ALL(false);

    /** Whether it befalls one server after the other, and so whoever leads. */
    final boolean befallsEach;

    Fault(boolean befallsEach) {
      this.befallsEach = befallsEach;
    }
  }

  private record Blow(Fault fault, int host) {}

  private final Network network;
  private final Servers starter;
  private final Random random;
  private final Map<Integer, HostProcess> servers = new HashMap<>();
  private final List<Blow> blows = new ArrayList<>();

  /** None has started. */
  Blows(Network network, Servers starter, Random random) {
    this.network = network;
    this.starter = starter;
    this.random = random;
  }

  /** Starts servers. */
  interface Servers {
    /** Another one at a host; it need not be ready. */
    HostProcess start(Network network, int host) throws Exception;

    /** It is ready. */
    void started(HostProcess server) throws Exception;

    /** Before one is killed: what it has is at another one, too. */
    default void awaitCopies() throws Exception {
      // Each has a copy.
    }

    /** Whether what they had is there after all were killed at once. */
    default boolean surviveAll() {
      return false;
    }
  }

  /** Starts all servers. */
  void start() throws Exception {
    for (int host : HOSTS) {
      servers.put(host, starter.start(network, host));
    }
    for (int host : HOSTS) {
      server(host).awaitReady();
    }
    for (int host : HOSTS) {
      starter.started(server(host));
    }
  }

  /** Each fault once, those that befall each server once for each. */
  void round() throws Exception {
    for (Blow blow : shuffled()) {
      blows.add(blow);
      befall(blow);
      Thread.sleep(CALM_MILLIS);
    }
  }

  /** Each server ends as it is asked to, and another one takes its place. */
  void redeploy() throws Exception {
    for (int host : HOSTS) {
      server(host).terminate();
      servers.put(host, starter.start(network, host));
      server(host).awaitReady();
      starter.started(server(host));
    }
  }

  /** The servers that run now. */
  List<HostProcess> servers() {
    return HOSTS.stream().map(this::server).toList();
  }

  int count() {
    return blows.size();
  }

  @Override
  public String toString() {
    return blows.toString();
  }

  private List<Blow> shuffled() {
    List<Blow> round = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      if (fault == Fault.KILL_ALL && !starter.surviveAll()) {
        continue;
      }
      if (fault.befallsEach) {
        HOSTS.forEach(host -> round.add(new Blow(fault, host)));
      } else {
        round.add(new Blow(fault, 1 + random.nextInt(SERVERS)));
      }
    }
    Collections.shuffle(round, random);
    return round;
  }

  private void befall(Blow blow) throws Exception {
    int host = blow.host;
    List<Integer> others = HOSTS.stream().filter(each -> each != host).toList();
    long millis = random.nextInt(FAULT_MIN_MILLIS, FAULT_MAX_MILLIS);
    switch (blow.fault) {
      case KILL -> {
        starter.awaitCopies();
        server(host).kill();
        Thread.sleep(millis);
        servers.put(host, starter.start(network, host));
        server(host).awaitReady();
        starter.started(server(host));
      }
      case KILL_ALL -> {
        for (HostProcess server : servers()) {
          server.kill();
        }
        start();
      }
      case STOP -> stop(List.of(host), millis);
      case STOP_OTHERS -> stop(others, millis);
      case PART_FROM_OTHERS -> {
        block(List.of(host), others);
        block(others, List.of(host));
        healAfter(millis);
      }
      case CUT_OFF -> {
        network.cutOff(host);
        healAfter(millis);
      }
      case HEAR_NOBODY -> {
        block(others, List.of(host));
        healAfter(millis);
      }
      case BE_HEARD_BY_NOBODY -> {
        block(List.of(host), others);
        healAfter(millis);
      }
      case PART_ALL -> {
        block(HOSTS, HOSTS);
        healAfter(millis);
      }
    }
  }

  private void stop(List<Integer> hosts, long millis) throws Exception {
    for (int host : hosts) {
      server(host).suspend();
    }
    Thread.sleep(millis);
    for (int host : hosts) {
      server(host).resume();
    }
  }

  private void block(List<Integer> from, List<Integer> to) throws IOException {
    for (int each : from) {
      for (int other : to) {
        if (each != other) {
          network.block(each, other);
        }
      }
    }
  }

  private void healAfter(long millis) throws Exception {
    Thread.sleep(millis);
    network.heal();
  }

  private HostProcess server(int host) {
    return Objects.requireNonNull(servers.get(host));
  }
}

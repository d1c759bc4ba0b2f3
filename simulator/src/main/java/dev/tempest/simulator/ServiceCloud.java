package dev.tempest.simulator;

import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.frontend.Reads;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.simulator.ServiceWorkload.Asking;
import dev.tempest.wire.Call;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Services on their servers, and the front-ends that ask them. */
final class ServiceCloud {
  private static final ServiceMethod NOTE = method(true);
  private static final ServiceMethod LOOK = method(false);

  /** Servers that all host the same services. */
  private record Group(List<BusyServer> servers) {
    Map<Long, SimAddress> addresses() {
      Map<Long, SimAddress> addresses = new TreeMap<>();
      for (int id = 0; id < servers.size(); id++) {
        addresses.put((long) id, servers.get(id).address());
      }
      return Collections.unmodifiableMap(addresses);
    }
  }

  private final Agenda agenda;
  private final Lan lan;
  private final Randomness random;
  private final List<Group> groups = new ArrayList<>();

  /** By service. */
  private final List<Group> groupOf = new ArrayList<>();

  /**
   * Starts the servers.
   *
   * @param together whether each server hosts all services; otherwise each replica has a server to
   *     itself
   */
  ServiceCloud(
      Agenda agenda,
      List<ServiceKind> services,
      int replicas,
      boolean together,
      long meanServiceNanos,
      long seed) {
    this.agenda = agenda;
    this.random = new Randomness(seed);
    this.lan = new Lan(agenda, random.nextLong());
    for (int service = 0; service < services.size(); service++) {
      if (service == 0 || !together) {
        groups.add(group(replicas));
      }
      groupOf.add(groups.getLast());
    }
    for (Group group : groups) {
      Map<Long, ServiceKind> hosted = new LinkedHashMap<>();
      for (int service = 0; service < services.size(); service++) {
        if (groupOf.get(service).equals(group)) {
          hosted.put(hash(service), services.get(service));
        }
      }
      group
          .servers()
          .forEach(server -> server.start(group.servers(), hosted, meanServiceNanos, random));
    }
  }

  private Group group(int replicas) {
    List<BusyServer> servers = new ArrayList<>();
    for (int replica = 0; replica < replicas; replica++) {
      servers.add(new BusyServer(agenda, lan));
    }
    return new Group(servers);
  }

  private static long hash(int service) {
    return NameHash.of("service-" + service);
  }

  private static ServiceMethod method(boolean update) {
    return ServiceInterface.of(Timed.class).methods().stream()
        .filter(method -> method.isUpdate() == update)
        .findFirst()
        .orElseThrow();
  }

  /** All servers. */
  List<BusyServer> servers() {
    return groups.stream().flatMap(group -> group.servers().stream()).toList();
  }

  /** A new client. */
  Client client(Asking asking) {
    return asking.isDiscovery() ? new Discovering() : new Adaptive(asking.replicas());
  }

  private TimedFrontEnd frontEnd(Map<Long, SimAddress> servers) {
    return new TimedFrontEnd(agenda, lan, random.nextLong(), servers);
  }

  /** Asks one service. */
  interface Client {
    void ask(int service, boolean update, int key, Consumer<Boolean> onEnd);
  }

  /** As users' front-ends do. */
  private final class Adaptive implements Client {
    private final Map<Group, TimedFrontEnd> frontEnds = new LinkedHashMap<>();
    private final Reads reads;

    Adaptive(int k) {
      this.reads = Reads.of(k);
      groups.forEach(group -> frontEnds.put(group, frontEnd(group.addresses())));
    }

    @Override
    public void ask(int service, boolean update, int key, Consumer<Boolean> onEnd) {
      ServiceMethod method = update ? NOTE : LOOK;
      Call call = new Call(method.number(), method.encode(new Object[] {key}));
      TimedFrontEnd frontEnd = frontEnds.get(groupOf.get(service));
      if (frontEnd == null) {
        throw new IllegalStateException("no front-end for service " + service);
      }
      frontEnd.submit(hash(service), update, call, reads, onEnd);
    }
  }

  /**
   * The paper's baseline, made of front-ends: to each replica one that knows no other. A first read
   * goes to all, later ones to whoever answered first.
   */
  private final class Discovering implements Client {
    private static final Reads ONE = Reads.of(1);

    private final Adaptive updates = new Adaptive(1);
    private final Map<Group, List<TimedFrontEnd>> replicas = new LinkedHashMap<>();
    private final Map<Integer, TimedFrontEnd> fastest = new LinkedHashMap<>();

    Discovering() {
      for (Group group : groups) {
        List<TimedFrontEnd> each = new ArrayList<>();
        group
            .addresses()
            .forEach((id, address) -> each.add(frontEnd(Collections.singletonMap(id, address))));
        replicas.put(group, each);
      }
    }

    @Override
    public void ask(int service, boolean update, int key, Consumer<Boolean> onEnd) {
      if (update) {
        updates.ask(service, true, key, onEnd);
        return;
      }
      Call call = new Call(LOOK.number(), LOOK.encode(new Object[] {key}));
      @Nullable TimedFrontEnd known = fastest.get(service);
      if (known != null) {
        known.submit(hash(service), false, call, ONE, onEnd);
        return;
      }
      for (TimedFrontEnd each : replicas.getOrDefault(groupOf.get(service), List.of())) {
        Consumer<Boolean> first =
            answered -> {
              if (fastest.putIfAbsent(service, each) == null) {
                onEnd.accept(answered);
              }
            };
        each.submit(hash(service), false, call, ONE, first);
      }
    }
  }
}

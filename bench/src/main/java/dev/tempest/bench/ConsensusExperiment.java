package dev.tempest.bench;

import dev.tempest.FrontEndConfig;
import dev.tempest.bench.Table.Column;
import dev.tempest.config.CheckpointConfig.Log;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Writes and reads of a store by consensus, beside the bare exchange, a store by time, jgroups-raft
 * and Apache Ratis; and what callers see when the leader is killed, and when a follower stands
 * still.
 */
final class ConsensusExperiment {
  private static final int MAJORITY = Cluster.REPLICAS / 2 + 1;
  private static final String BARE = "bare exchange, 2 of 3 answer";
  private static final String BARE_ALL = "bare exchange, all 3 answer";
  private static final String WRITE = "consensus, write";
  private static final String STORED = "consensus, write, log on disk";
  private static final String ADAPTIVE = "consensus, write, adaptive log";
  private static final String READ = "consensus, read";
  private static final String LEASE = "consensus, lease read";
  private static final String ECHO = "bare echo";
  private static final String ACKS = "by time, acks %d";
  private static final String PEER_LEADER = "jgroups-raft, at the leader";
  private static final String PEER_FOLLOWER = "jgroups-raft, at a follower";
  private static final String RATIS = "Apache Ratis";

  private static final String PART = "part";
  private static final String LOAD = "load";
  private static final String KILL = "kill";
  private static final String STOP = "stop";
  private static final String SYSTEM = "system";
  private static final String CLIENTS = "clients";
  private static final String CALM = "calm";
  private static final String HEAP = "heap";
  private static final String AS_IT_COMES = "as it comes";
  private static final String PHASE = "phase";
  private static final String BEFORE = "before";
  private static final String STOPPED = "stopped";
  private static final String MILLIS = "millis";
  private static final String P50 = "p50Micros";
  private static final String P99 = "p99Micros";
  private static final String RATE = "requestsPerSecond";

  private static final int FEW_CLIENTS = 32;
  private static final int COMPARED_CLIENTS = 128;
  private static final int MANY_CLIENTS = 1_024;
  private static final long WARM_UP_REQUESTS_ALONE = 20_000;
  private static final long WARM_UP_REQUESTS = 150_000;
  private static final Duration KILL_MAX = Duration.ofMinutes(1);

  /** It goes on once the parent is done or gone: nobody else would end what stands still. */
  private static final String STAND_STILL =
      "kill -STOP $0 && echo ready; read -r gone; kill -CONT $0";

  static final Experiment EXPERIMENT =
      new Experiment(
          "consensus",
          List.of(
              Setting.words(PART, String.join(",", LOAD, KILL, STOP), "What to measure."),
              Setting.rounds("5"),
              Setting.perRound("1").full("5"),
              Setting.number("kills", "10", "How often the leader is killed, with each heap.")
                  .full("100"),
              Setting.number(
                      HEAP,
                      "2048",
                      "Megabytes of each server's heap, all touched, where it"
                          + " is not as it comes.")
                  .within(64, 1_000_000),
              Setting.warmUp("2"),
              Setting.seconds(CALM, "1", "")),
          ConsensusExperiment::measure,
          ConsensusExperiment::report);

  private static final List<Column> COLUMNS = columns();

  private ConsensusExperiment() {}

  private static List<Column> columns() {
    List<Column> columns = new ArrayList<>(Contestant.COLUMNS);
    columns.add(new Column("failed", each -> Spread.number(each.spread("failed").highest())));
    return columns;
  }

  private static void measure(Run run) throws IOException, InterruptedException {
    List<String> parts = run.settings().words(PART);
    if (parts.contains(LOAD)) {
      load(run);
    }
    if (parts.contains(KILL)) {
      int megabytes = run.settings().number(HEAP);
      kill(run, AS_IT_COMES, JavaCommand.MEASURED);
      kill(
          run,
          "%,d MB touched".formatted(megabytes),
          JavaCommand.MEASURED.with(
              List.of(
                  "-Xms%dm".formatted(megabytes),
                  "-Xmx%dm".formatted(megabytes),
                  "-XX:+AlwaysPreTouch")));
      killPeers(run);
    }
    if (parts.contains(STOP)) {
      stop(run);
    }
  }

  // --- Writes and reads ---

  private static void load(Run run) throws IOException, InterruptedException {
    int millis = run.settings().millis("seconds");
    LoadPlan alone = new LoadPlan(1, 0, millis);
    LoadPlan compared = new LoadPlan(COMPARED_CLIENTS, 0, millis);
    try (Processes processes = new Processes(run.log())) {
      run.say("starting");
      Contestant bareAlone = bare(BARE, MAJORITY, Floor.Mode.BLOCKING, processes);
      Contestant byAll = bare(BARE_ALL, Cluster.REPLICAS, Floor.Mode.BLOCKING, processes);
      Contestant echo = Floor.udpEcho(StoreClient.BYTES).start(ECHO, processes);
      Contestant bareCompared = bare(BARE, MAJORITY, Floor.Mode.SELECTING, processes);
      Cluster cluster = Cluster.start(processes, Cluster.REPLICAS, TempestServer.Hosting.STORES);
      Contestant lease = client(processes, cluster, LEASE, TempestServer.BY_LEASE, 1);
      Contestant write = client(processes, cluster, WRITE, TempestServer.BY_CONSENSUS, 1);
      List<Contestant> stores = new ArrayList<>(List.of(write));
      stores.add(client(processes, cluster, READ, TempestServer.BY_CONSENSUS, 1));
      stores.add(stored(processes, STORED, Log.DISK));
      stores.add(stored(processes, ADAPTIVE, Log.ADAPTIVE));
      for (int acks = 2; acks <= Cluster.REPLICAS; acks++) {
        String name = ACKS.formatted(acks);
        stores.add(client(processes, cluster, name, TempestServer.BY_TIME, acks));
      }
      stores.addAll(peers(processes));
      stores.add(ratis(processes));
      List<Contestant> single = List.of(echo, bareAlone, byAll, lease);
      warmUp(run, single, List.of(bareCompared), stores);
      List<Run.Turn> turns = new ArrayList<>();
      single.forEach(each -> turns.add(each.under(alone)));
      stores.forEach(store -> turns.add(store.under(alone)));
      turns.add(bareCompared.under(compared));
      stores.forEach(store -> turns.add(store.under(compared)));
      turns.add(write.under(new LoadPlan(FEW_CLIENTS, 0, millis)));
      turns.add(write.under(new LoadPlan(MANY_CLIENTS, 0, millis)));
      run.rounds(run.settings().number("rounds"), turns);
    }
  }

  private static Contestant stored(Processes processes, String name, Log log)
      throws IOException, InterruptedException {
    Cluster cluster = Cluster.start(processes, Cluster.REPLICAS, TempestServer.Hosting.stores(log));
    return client(processes, cluster, name, TempestServer.BY_CONSENSUS, 1);
  }

  private static void warmUp(
      Run run, List<Contestant> alone, List<Contestant> together, List<Contestant> both)
      throws IOException, InterruptedException {
    int millis = run.settings().millis("warm-up");
    List<Contestant> single = new ArrayList<>(alone);
    single.addAll(both);
    for (Contestant each : single) {
      each.warmUp(new LoadPlan(1, 0, millis), WARM_UP_REQUESTS_ALONE, run);
    }
    List<Contestant> many = new ArrayList<>(together);
    many.addAll(both);
    for (Contestant each : many) {
      each.warmUp(new LoadPlan(COMPARED_CLIENTS, 0, millis), WARM_UP_REQUESTS, run);
    }
  }

  private static Contestant bare(String name, int answers, Floor.Mode mode, Processes processes)
      throws IOException, InterruptedException {
    return Floor.multicast(Cluster.REPLICAS, StoreClient.BYTES, StoreClient.BYTES, mode)
        .answeredBy(answers)
        .start(name, processes);
  }

  private static Contestant client(
      Processes processes, Cluster cluster, String name, String service, int acks)
      throws IOException, InterruptedException {
    TempestAddress address = cluster.address();
    StoreWork work = name.equals(READ) || name.equals(LEASE) ? StoreWork.READ : StoreWork.WRITE;
    return cluster.client(
        processes,
        name,
        () -> {
          FrontEndConfig config = address.usual().acks(acks).build();
          return new StoreClient(config, service).doing(work);
        });
  }

  /** The callers are in the processes of the members: one hop less, or as many as ours. */
  private static List<Contestant> peers(Processes processes)
      throws IOException, InterruptedException {
    String group = Processes.newClusterName();
    int port = FreePorts.find(1).getFirst();
    List<Child<LoadPlan, Point>> members = members(processes, JGroupsPeer.MEMBERS, group, port);
    Collections.rotate(members, -leader(members));
    List<Child<?, ?>> charged = List.copyOf(members);
    List<Contestant> peers = new ArrayList<>();
    for (String name : List.of(PEER_LEADER, PEER_FOLLOWER)) {
      Child<LoadPlan, Point> member = members.get(peers.size());
      peers.add(new Contestant(name, plan -> member.ask(plan, plan.total()), charged));
    }
    return peers;
  }

  private static List<Child<LoadPlan, Point>> members(
      Processes processes, List<String> names, String group, int port)
      throws IOException, InterruptedException {
    List<Child<LoadPlan, Point>> members = new ArrayList<>();
    for (String name : names) {
      members.add(processes.start("jgroups-raft", JGroupsPeer.program(name, group, port)));
    }
    return members;
  }

  /** Which of them leads; until one does, this waits. */
  private static int leader(List<Child<LoadPlan, Point>> members)
      throws IOException, InterruptedException {
    LoadPlan look = new LoadPlan(1, 0, 1);
    int leader = 0;
    for (int at = 0; at < members.size(); at++) {
      Point seen = members.get(at).ask(look, look.total());
      leader = Boolean.parseBoolean(seen.text(JGroupsPeer.LEADS)) ? at : leader;
    }
    return leader;
  }

  private static Contestant ratis(Processes processes) throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.find(Cluster.REPLICAS);
    var servers = ratisServers(processes, ports);
    return Contestant.of(RATIS, processes.start(RATIS, () -> new RatisClient(ports)), servers);
  }

  private static List<Child<String, String>> ratisServers(Processes processes, List<Integer> ports)
      throws IOException, InterruptedException {
    List<RatisServer> servers = new ArrayList<>();
    for (int index = 0; index < ports.size(); index++) {
      servers.add(new RatisServer(ports, index));
    }
    return processes.start(RATIS, JavaCommand.MEASURED, servers);
  }

  // --- A leader that is killed ---

  private static void kill(Run run, String heap, JavaCommand java)
      throws IOException, InterruptedException {
    try (Processes processes = new Processes(run.log())) {
      run.say("starting, heap " + heap);
      Cluster cluster =
          Cluster.start(processes, java, Cluster.REPLICAS, TempestServer.Hosting.STORES);
      TempestAddress address = cluster.address();
      var client = processes.start("client", () -> KillClient.of(address.usual().build()));
      List<Child<String, Long>> servers = new ArrayList<>(cluster.servers());
      int kills = run.settings().number("kills");
      for (int kill = 0; kill < kills; kill++) {
        run.say("kill %d of %d, heap %s".formatted(kill + 1, kills, heap));
        List<Long> pids = servers.stream().map(Child::pid).toList();
        Point killed = client.ask(new ArrayList<>(pids), KILL_MAX);
        run.add(killed.with(PART, KILL, SYSTEM, WRITE, HEAP, heap).onThisMachine());
        int index = (int) killed.number("killed");
        var again = new TempestServer(address, index, TempestServer.Hosting.STORES);
        servers.set(index, processes.start("server", java, List.of(again)).getFirst());
        // Until the one that was killed is a member no more: it would be missed in a majority.
        client.run(Duration.ofMillis(run.settings().millis(CALM)));
      }
    }
  }

  /** In another group each time: who comes back without its log is not what these are made for. */
  private static void killPeers(Run run) throws IOException, InterruptedException {
    int kills = run.settings().number("kills");
    for (int kill = 0; kill < kills; kill++) {
      for (String system : List.of(PEER_FOLLOWER, RATIS)) {
        run.say("kill %d of %d, %s".formatted(kill + 1, kills, system));
        try (Processes processes = new Processes(run.log())) {
          Point killed = system.equals(RATIS) ? killRatis(processes) : killPeer(processes);
          run.add(killed.with(PART, KILL, SYSTEM, system, HEAP, AS_IT_COMES).onThisMachine());
        }
      }
    }
  }

  private static Point killRatis(Processes processes) throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.find(Cluster.REPLICAS);
    List<Long> pids = ratisServers(processes, ports).stream().map(Child::pid).toList();
    var client = processes.start("client", () -> new KillClient(new RatisClient(ports)::putAndSee));
    return client.ask(new ArrayList<>(pids), KILL_MAX);
  }

  /** The last member comes when another one leads. */
  private static Point killPeer(Processes processes) throws IOException, InterruptedException {
    String group = Processes.newClusterName();
    int port = FreePorts.find(1).getFirst();
    List<String> first = JGroupsPeer.MEMBERS.subList(0, Cluster.REPLICAS - 1);
    List<Child<LoadPlan, Point>> members = members(processes, first, group, port);
    var _ = leader(members);
    List<Long> pids = new ArrayList<>();
    members.forEach(member -> pids.add(member.pid()));
    String last = JGroupsPeer.MEMBERS.getLast();
    var killer = processes.start(last, JGroupsPeer.killer(last, group, port));
    pids.add(killer.pid());
    return killer.ask(new ArrayList<>(pids), KILL_MAX);
  }

  // --- A follower that stands still ---

  private static void stop(Run run) throws IOException, InterruptedException {
    try (Processes processes = new Processes(run.log())) {
      run.say("starting");
      Cluster cluster = Cluster.start(processes, Cluster.REPLICAS, TempestServer.Hosting.STORES);
      TempestAddress address = cluster.address();
      Child<LoadPlan, Point> client =
          processes.start(
              WRITE,
              () ->
                  new StoreClient(address.usual().build(), TempestServer.BY_CONSENSUS)
                      .doing(StoreWork.WRITE));
      Contestant write = Contestant.of(WRITE, client, cluster.servers());
      warmUp(run, List.of(), List.of(), List.of(write));
      int millis = run.settings().millis("seconds");
      for (int round = 0; round < run.settings().number("rounds"); round++) {
        for (int clients : List.of(1, COMPARED_CLIENTS)) {
          run.say("a follower stands still, round %d, %d clients".formatted(round + 1, clients));
          LoadPlan plan = new LoadPlan(clients, 0, millis);
          Point before = write.under(plan).measure();
          run.add(before.with(PART, STOP, PHASE, BEFORE, "round", round));
          int leader = (int) before.number(StoreClient.EXECUTED_BY);
          Child<?, ?> follower = cluster.servers().get((leader + 1) % Cluster.REPLICAS);
          List<String> command = List.of("sh", "-c", STAND_STILL, String.valueOf(follower.pid()));
          try (Child<?, ?> _ = processes.start("stand still", command)) {
            Point meanwhile = write.under(plan).measure();
            run.add(meanwhile.with(PART, STOP, PHASE, STOPPED, "round", round));
          }
          client.run(Duration.ofMillis(run.settings().millis(CALM)));
        }
      }
    }
  }

  // --- What came out ---

  private static void report(Points points, Settings settings, Page page) {
    Points load = points.where(point -> !point.fields().containsKey(PART));
    if (!load.isEmpty()) {
      reportLoad(page, load);
    }
    Points kills = points.where(PART, KILL);
    if (!kills.isEmpty()) {
      reportKills(page, kills);
    }
    Points stops = points.where(PART, STOP);
    if (!stops.isEmpty()) {
      reportStops(page, stops);
    }
  }

  private static void reportLoad(Page page, Points load) {
    Points alone = load.where(CLIENTS, 1);
    Chart chart =
        new Chart(
            Chart.Kind.PERCENTILES,
            "consensus",
            "One request of %d B at a time".formatted(StoreClient.BYTES),
            "percentage of requests at most as slow",
            "microseconds");
    for (Points system : alone.by(SYSTEM)) {
      chart.add(system.text(SYSTEM), system.nanos());
    }
    page.chart(chart, "All rounds.");
    page.table(
        "Callers that wait, %d B, medians of the rounds".formatted(StoreClient.BYTES),
        load,
        "clients,system",
        COLUMNS);
    Points write = alone.where(SYSTEM, WRITE);
    Points read = alone.where(SYSTEM, READ);
    page.atMost(2, "p50, write / bare exchange", write.ratio(P50, alone.where(SYSTEM, BARE)));
    page.shown("p50, write / " + BARE_ALL, write.ratio(P50, alone.where(SYSTEM, BARE_ALL)));
    page.atMost(0.6, "p50, write / " + PEER_FOLLOWER, ratio(write, P50, alone, PEER_FOLLOWER));
    page.shown("p50, write / " + PEER_LEADER, ratio(write, P50, alone, PEER_LEADER));
    page.shown("p50, write / " + RATIS, ratio(write, P50, alone, RATIS));
    for (int acks = 2; acks <= Cluster.REPLICAS; acks++) {
      String other = ACKS.formatted(acks);
      page.shown("p50, write / " + other, ratio(write, P50, alone, other));
      page.shown("p99, write / " + other, ratio(write, P99, alone, other));
    }
    page.atMost(0.8, "p50, read / write", read.ratio(P50, write));
    page.atMost(
        1.5, "p50, lease read / " + ECHO, ratio(alone.where(SYSTEM, LEASE), P50, alone, ECHO));
    page.shown(
        "p50, write, log on disk / in memory", alone.where(SYSTEM, STORED).ratio(P50, write));
    page.shown(
        "p50, write, adaptive log / in memory", alone.where(SYSTEM, ADAPTIVE).ratio(P50, write));
    goalsTogether(page, load);
  }

  private static void goalsTogether(Page page, Points load) {
    Points together = load.where(CLIENTS, COMPARED_CLIENTS);
    Points writes = load.where(SYSTEM, WRITE);
    Points write = together.where(SYSTEM, WRITE);
    String of = "requests/s, %d clients, write / ".formatted(COMPARED_CLIENTS);
    page.shown(of + BARE, ratio(write, RATE, together, BARE));
    page.atLeast(1.2, of + PEER_FOLLOWER, ratio(write, RATE, together, PEER_FOLLOWER));
    page.shown(of + PEER_LEADER, ratio(write, RATE, together, PEER_LEADER));
    page.atLeast(8, of + RATIS, ratio(write, RATE, together, RATIS));
    for (int acks = 2; acks <= Cluster.REPLICAS; acks++) {
      String other = ACKS.formatted(acks);
      page.shown(of + other, ratio(write, RATE, together, other));
    }
    page.atLeast(
        1,
        "requests/s, write, %,d clients / %d".formatted(MANY_CLIENTS, FEW_CLIENTS),
        writes.where(CLIENTS, MANY_CLIENTS).ratio(RATE, writes.where(CLIENTS, FEW_CLIENTS)));
    page.atLeast(
        0.5,
        "requests/s, %d clients, log on disk / in memory".formatted(COMPARED_CLIENTS),
        together.where(SYSTEM, STORED).ratio(RATE, write));
    page.atLeast(
        0.9,
        "requests/s, %d clients, adaptive log / in memory".formatted(COMPARED_CLIENTS),
        together.where(SYSTEM, ADAPTIVE).ratio(RATE, write));
    page.atLeast(
        1.3,
        "requests/s, %d clients, read / write".formatted(COMPARED_CLIENTS),
        together.where(SYSTEM, READ).ratio(RATE, write));
  }

  private static Spread ratio(Points ours, String field, Points all, String other) {
    return ours.ratio(field, all.where(SYSTEM, other));
  }

  private static void reportKills(Page page, Points kills) {
    page.table(
        "From kill -9 of the leader to the next acknowledged write, ms",
        kills,
        "heap,system",
        List.of(
            new Column("kills", each -> String.valueOf(each.all().size())),
            Column.medians("p50=" + MILLIS).getFirst(),
            new Column("p99", each -> Spread.number(each.nanos().getValueAtPercentile(99) / 1e6)),
            new Column("max", each -> Spread.number(each.spread(MILLIS).highest()))));
    for (Points each : kills.where(SYSTEM, WRITE).by(HEAP)) {
      String of = "ms, kill -9 to the next write, %s, heap " + each.text(HEAP);
      page.atMost(150, of.formatted("p50"), each.spread(MILLIS));
      double highest = each.nanos().getValueAtPercentile(99) / 1e6;
      page.atMost(300, of.formatted("p99"), Spread.of(highest));
    }
  }

  private static void reportStops(Page page, Points stops) {
    page.table("Writes before and while a follower stands still", stops, "clients,phase", COLUMNS);
    for (Points each : stops.by(CLIENTS)) {
      Points before = each.where(PHASE, BEFORE);
      Points stopped = each.where(PHASE, STOPPED);
      String of = "%s, a follower stands still / before, clients: %s";
      page.atMost(1.2, of.formatted("p99", each.text(CLIENTS)), stopped.ratio(P99, before));
      page.shown(of.formatted("p50", each.text(CLIENTS)), stopped.ratio(P50, before));
    }
  }
}

package dev.tempest.bench;

import dev.tempest.FrontEndConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests to a store by consensus, single and in transactions, beside the same store at one server
 * (Zhang, chapter VI): all near to each other, far clients, far servers.
 */
final class PaxosExperiment {
  static final String ORIGINAL = "original";
  static final String READ = "read";
  static final String WRITE = "write";
  static final String SINGLE = "single";
  static final String TOGETHER = "transaction";
  static final String READ_WRITE = "read/write";
  static final String WRITE_ONLY = "write-only";

  static final String NEAR = "near";
  static final String CLIENTS_FAR = "clients-far";
  static final String REPLICAS_FAR = "replicas-far";

  /** Names of fields. */
  static final String PLACE = "place";

  static final String SYSTEM = "system";
  static final String SIZE = "size";
  static final String MIX = "mix";
  static final String HOW = "how";
  static final String CLIENTS = "clients";

  /** How many requests of a transaction the thesis looks at. */
  static final List<Integer> SIZES = List.of(3, 5);

  private static final String TRANSACTION_CLIENTS = "transaction-clients";
  private static final String FAR_CLIENTS = "far-clients";
  private static final String FAR_SECONDS = "far-seconds";
  private static final String CLIENT_MILLIS = "client-millis";
  private static final String REPLICA_MILLIS = "replica-millis";
  private static final String JITTER = "jitter-micros";
  private static final Duration FAR_RETRY_AFTER = Duration.ofSeconds(1);
  private static final long WARM_UP_REQUESTS = 20_000;
  private static final long WARM_UP_REQUESTS_FAR = 2_000;

  static final Experiment EXPERIMENT =
      new Experiment(
          "paxos",
          List.of(
              Setting.words(
                  PLACE, String.join(",", NEAR, CLIENTS_FAR, REPLICAS_FAR), "Who is where."),
              Setting.rounds("3"),
              Setting.perRound("0.5").full("5"),
              Setting.seconds(FAR_SECONDS, "2", "The same where somebody is far away.").full("20"),
              Setting.numbers(CLIENTS, "1,2,4,8,16,32,64,128", "Clients of single requests."),
              Setting.numbers(TRANSACTION_CLIENTS, "1,2,4,8,16", "Clients of transactions."),
              Setting.numbers(FAR_CLIENTS, "1,16", "Clients where somebody is far away."),
              millis(CLIENT_MILLIS, "35", "How far clients are: one way, in milliseconds."),
              millis(REPLICA_MILLIS, "18", "How far servers are: one way, in milliseconds."),
              millis(JITTER, "500", "What a way takes more on average, in microseconds."),
              Setting.warmUp("2")),
          PaxosExperiment::measure,
          PaxosReport::report);

  private PaxosExperiment() {}

  private static Setting millis(String name, String usual, String description) {
    return Setting.number(name, usual, description).within(0, 10_000);
  }

  private static void measure(Run run) throws IOException, InterruptedException {
    for (String place : run.settings().words(PLACE)) {
      try (Processes processes = new Processes(run.log())) {
        run.say("starting, " + place);
        measure(run, place, processes);
      }
    }
  }

  private static void measure(Run run, String place, Processes processes)
      throws IOException, InterruptedException {
    Settings settings = run.settings();
    Delay clientsAway = delay(settings, CLIENT_MILLIS);
    boolean isFar = !place.equals(NEAR);
    Cluster single = Cluster.start(processes, 1, TempestServer.Hosting.ONE_STORE);
    Cluster group =
        place.equals(REPLICAS_FAR)
            ? Cluster.startApart(
                processes,
                Cluster.REPLICAS,
                TempestServer.Hosting.ONE_STORE,
                delay(settings, REPLICA_MILLIS))
            : Cluster.start(processes, Cluster.REPLICAS, TempestServer.Hosting.ONE_STORE);
    Asked original = Asked.of(processes, single, isFar ? clientsAway : null);
    Asked replicated = Asked.of(processes, group, isFar ? clientsAway : null);
    LoadPlan warmUp = new LoadPlan(isFar ? 64 : 4, 0, settings.millis("warm-up"));
    for (Contestant each :
        List.of(
            original.doing(ORIGINAL, StoreWork.WRITE),
            replicated.doing(READ, StoreWork.READ),
            replicated.doing(WRITE, StoreWork.WRITE),
            replicated.doing(TOGETHER, new StoreWork(1, 2, true)))) {
      each.warmUp(warmUp, isFar ? WARM_UP_REQUESTS_FAR : WARM_UP_REQUESTS, run);
    }
    List<Run.Turn> turns = new ArrayList<>();
    int millis = settings.millis(isFar ? FAR_SECONDS : "seconds");
    for (int clients : settings.numbers(isFar ? FAR_CLIENTS : CLIENTS)) {
      LoadPlan plan = new LoadPlan(clients, 0, millis);
      turns.add(at(place, original.doing(ORIGINAL, StoreWork.WRITE).under(plan)));
      turns.add(at(place, replicated.doing(READ, StoreWork.READ).under(plan)));
      turns.add(at(place, replicated.doing(WRITE, StoreWork.WRITE).under(plan)));
    }
    for (int clients : settings.numbers(isFar ? FAR_CLIENTS : TRANSACTION_CLIENTS)) {
      turns.addAll(transactions(place, replicated, new LoadPlan(clients, 0, millis)));
    }
    run.rounds(settings.number("rounds"), turns);
  }

  private static Delay delay(Settings settings, String way) {
    return new Delay(settings.number(way), settings.number(JITTER) / 1e3);
  }

  /** As many requests, each by itself and together. */
  private static List<Run.Turn> transactions(String place, Asked replicated, LoadPlan plan) {
    List<Run.Turn> turns = new ArrayList<>();
    for (int requests : SIZES) {
      int reads = requests / 2 + 1;
      for (String mix : List.of(READ_WRITE, WRITE_ONLY)) {
        StoreWork single =
            mix.equals(READ_WRITE)
                ? new StoreWork(reads, requests - reads, false)
                : new StoreWork(0, requests, false);
        for (StoreWork work : List.of(single, single.together())) {
          String how = work.isTransaction() ? TOGETHER : SINGLE;
          Run.Turn turn = at(place, replicated.doing(how, work).under(plan));
          turns.add(() -> turn.measure().with(SIZE, requests, MIX, mix, HOW, how));
        }
      }
    }
    return turns;
  }

  private static Run.Turn at(String place, Run.Turn turn) {
    return () -> turn.measure().with(PLACE, place);
  }

  /** Servers with a client that does to them what it is told. */
  private record Asked(Cluster cluster, Child<StoreWork.Load, Point> client) {
    static Asked of(Processes processes, Cluster cluster, @Nullable Delay away)
        throws IOException, InterruptedException {
      TempestAddress address = away == null ? cluster.address() : cluster.far(processes, away);
      boolean isFar = away != null;
      return new Asked(
          cluster,
          processes.start(
              "client",
              () -> {
                FrontEndConfig.Builder config = address.usual();
                if (isFar) {
                  config.retryAfter(FAR_RETRY_AFTER); // Else it asks again before any answer.
                }
                return new StoreClient(config.build(), TempestServer.BY_CONSENSUS);
              }));
    }

    Contestant doing(String name, StoreWork work) {
      List<Child<?, ?>> charged = new ArrayList<>(cluster.servers());
      charged.add(client);
      return new Contestant(
          name, plan -> client.ask(new StoreWork.Load(plan, work), plan.total()), charged);
    }
  }
}

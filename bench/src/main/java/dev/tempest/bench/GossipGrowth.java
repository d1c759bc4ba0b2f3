package dev.tempest.bench;

import dev.tempest.bench.Table.Column;
import dev.tempest.simulator.GossipExperiment;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** What gossip says, and how fast an update spreads by it alone, in the simulator. */
final class GossipGrowth {
  private static final int TALKING_REPLICAS = 3;
  private static final long SEED = 1;

  static final Experiment EXPERIMENT =
      new Experiment(
          "gossip",
          List.of(
              Setting.numbers(
                      "replicas", "3,10,30,100,300,1000", "How many an update spreads among.")
                  .full("3,10,30,100,300,1000,3000,10000")
                  .within(2, 100_000),
              Setting.numbers(
                      "updates", "1000,10000,100000,1000000", "How many updates there were before.")
                  .full("1000,10000,100000,1000000,10000000"),
              Setting.number("interval", "100", "Milliseconds between two rounds of a replica.")
                  .within(10, 60_000)),
          GossipGrowth::simulate,
          GossipGrowth::report);

  private GossipGrowth() {}

  private static void simulate(Run run) throws IOException {
    int intervalMillis = run.settings().number("interval");
    for (int replicas : run.settings().numbers("replicas")) {
      run.say("an update spreads among %,d replicas".formatted(replicas));
      var spread = GossipExperiment.disseminate(replicas, intervalMillis, SEED);
      run.add(
          Point.of(
              "replicas", spread.replicas(),
              "intervalMillis", intervalMillis,
              "millis", spread.millis(),
              "rounds", spread.rounds(),
              "messagesPerRound", spread.messagesPerRound(),
              "bytesPerRound", spread.bytesPerRound()));
    }
    for (int updates : run.settings().numbers("updates")) {
      run.say("replicas talk after %,d updates".formatted(updates));
      var talk = GossipExperiment.talk(TALKING_REPLICAS, updates, intervalMillis, SEED);
      run.add(
          Point.of(
              "replicas", talk.replicas(),
              "updates", talk.updates(),
              "intervalMillis", intervalMillis,
              "messagesPerRound", talk.messagesPerRound(),
              "bytesPerRound", talk.bytesPerRound(),
              "setBytes", talk.setBytes()));
    }
  }

  private static void report(Points points, Settings settings, Page page) {
    Points spreads = points.having("rounds");
    Points talks = points.having("setBytes");
    claims(page, spreads, talks);
    page.chart(
        new Chart(
                Chart.Kind.LINES,
                "gossip-dissemination",
                "Rounds of gossip until an update has come from one replica to all",
                "replicas",
                "rounds")
            .add("Tempest", spreads.curve("replicas", "rounds")),
        "Rounds until all have the update.");
    page.chart(
        new Chart(
                Chart.Kind.LINES,
                "gossip-history",
                "What gossip takes after so many updates",
                "updates",
                "bytes")
            .add("the paper's set of identifiers, each message", talks.curve("updates", "setBytes"))
            .add("Tempest, all of a round", talks.curve("updates", "bytesPerRound")),
        "Bytes after so many updates. The paper's line is computed: 16 B for each identifier.");
    page.table(
        "An update that reached one replica comes to all",
        spreads,
        "replicas",
        Column.medians(
            "ms=millis",
            "rounds",
            "messages/replica/round=messagesPerRound",
            "bytes/replica/round=bytesPerRound"));
    page.table(
        "%d replicas talk, ten updates a second going on".formatted(TALKING_REPLICAS),
        talks,
        "updates",
        Column.medians(
            "messages/replica/round=messagesPerRound",
            "bytes/replica/round=bytesPerRound",
            "paper's set, bytes/message=setBytes"));
  }

  private static void claims(Page page, Points spreads, Points talks) {
    page.compare(
        "messages of a process in a round",
        "at most 3",
        String.format(
            Locale.ROOT, "at most %.1f on average", spreads.spread("messagesPerRound").highest()));
    page.compare(
        talks.ends("bytes after %s updates / after %s", "updates"),
        "grows with the sets: " + talks.growth("updates", "setBytes"),
        talks.growth("updates", "bytesPerRound"));
    page.compare(
        spreads.ends("rounds to reach %s replicas / %s", "replicas"),
        "not measured",
        spreads.growth("replicas", "rounds"));
  }
}

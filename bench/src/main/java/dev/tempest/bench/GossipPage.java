package dev.tempest.bench;

import dev.tempest.simulator.GossipExperiment.Dissemination;
import dev.tempest.simulator.GossipExperiment.Talk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The growth of gossip beside what the Tempest paper says of its own. */
final class GossipPage {
  private GossipPage() {}

  static void write(Path folder, GossipBenchmark.Result result, int intervalMillis)
      throws IOException {
    PaperPage page = new PaperPage("T9", "How gossip grows", "Tempest (DSN 2008), section 3.2");
    page.paper(
        "Replicas gossip about the sets of identifiers of all invocations whose objects they hold."
            + " A process issues at most three messages per round.");
    page.paper(
        "The sets only grow, and the messages with them; the paper names two ways out, discarding"
            + " identifiers by epoch and reconciling sets, and measures neither. It has no"
            + " figure.");
    page.ours(
        "In the simulator, the replicas that users run: an update that reached one replica comes to"
            + " all by gossip alone, every %d ms; and replicas talk after more and more updates,"
                .formatted(intervalMillis)
            + " while ten a second go on. Everything follows from one seed.");
    claims(page, result);
    page.picture(folder.resolve("gossip-dissemination.svg"), "Rounds until all have the update.");
    page.picture(
        folder.resolve("gossip-history.svg"),
        "Bytes after so many updates. The paper's line is computed: 16 B for each identifier.");
    tables(page, result);
    page.differs(
        "What has settled at all replicas is folded into the state and no longer named; replicas"
            + " compare sums first, and name what they have only where sums differ.");
    page.write(folder);
  }

  private static void claims(PaperPage page, GossipBenchmark.Result result) {
    double most =
        result.disseminations().stream()
            .mapToDouble(Dissemination::messagesPerRound)
            .max()
            .orElse(0);
    page.compare(
        "messages of a process in a round",
        "at most 3",
        String.format(Locale.ROOT, "at most %.1f on average", most));
    if (!result.talks().isEmpty()) {
      Talk few = result.talks().getFirst();
      Talk many = result.talks().getLast();
      page.compare(
          "bytes after %,d updates / after %,d".formatted(many.updates(), few.updates()),
          String.format(
              Locale.ROOT, "grows with the sets: %.0f", (double) many.setBytes() / few.setBytes()),
          String.format(Locale.ROOT, "%.2f", many.bytesPerRound() / few.bytesPerRound()));
    }
    if (!result.disseminations().isEmpty()) {
      Dissemination few = result.disseminations().getFirst();
      Dissemination many = result.disseminations().getLast();
      page.compare(
          "rounds to reach %,d replicas / %,d".formatted(many.replicas(), few.replicas()),
          "not measured",
          String.format(Locale.ROOT, "%.1f", many.rounds() / few.rounds()));
    }
  }

  private static void tables(PaperPage page, GossipBenchmark.Result result) {
    page.table(
        "An update comes from one replica to all",
        List.of(
            "replicas", "ms", "rounds", "messages / replica / round", "bytes / replica / round"),
        result.disseminations().stream().map(GossipPage::row).toList());
    page.table(
        "Replicas talk",
        List.of("updates before", "messages / replica / round", "bytes / replica / round"),
        result.talks().stream().map(GossipPage::row).toList());
  }

  private static List<String> row(Dissemination spread) {
    return List.of(
        String.format(Locale.ROOT, "%,d", spread.replicas()),
        String.format(Locale.ROOT, "%,.0f", spread.millis()),
        String.format(Locale.ROOT, "%.1f", spread.rounds()),
        String.format(Locale.ROOT, "%.2f", spread.messagesPerRound()),
        String.format(Locale.ROOT, "%.0f", spread.bytesPerRound()));
  }

  private static List<String> row(Talk talk) {
    return List.of(
        String.format(Locale.ROOT, "%,d", talk.updates()),
        String.format(Locale.ROOT, "%.2f", talk.messagesPerRound()),
        String.format(Locale.ROOT, "%.0f", talk.bytesPerRound()));
  }
}

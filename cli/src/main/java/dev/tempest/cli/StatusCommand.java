package dev.tempest.cli;

import dev.tempest.admin.Admin;
import dev.tempest.admin.ServerStatus;
import dev.tempest.admin.ServiceStatus;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows how the servers of a cluster are. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Shows how each server and its services are, and whether replicas agree.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:all servers answer, and all replicas agree",
      " 1:a server does not answer, or replicas differ for a second",
      "64:wrong usage",
      "69:no server answers",
      "70:a bug in Tempest"
    },
    footerHeading = "%nThe rows:%n",
    footer = {
      "  executed   updates in the state of the replica",
      "  hash       of those; replicas with equal counts and hashes agree",
      "  settled    of those, the ones whose place in the order is final",
      "  late       updates that arrived after later ones",
      "  rerun      updates executed again because of those",
      "  repaired   updates that came by gossip, because a datagram was lost",
      "  diverged   how often the same updates had led to another state than elsewhere,",
      "             which the replica then took: the service is not deterministic",
      "  agrees     whether it has the same state as most others; under load replicas lag",
      "             behind each other for moments",
      "%nExamples:",
      "  tempest status",
      "  tempest status --servers 10.0.0.1:7400,10.0.0.2:7400 --json"
    })
final class StatusCommand implements Callable<Integer> {
  /** Under load replicas differ for moments; only a lasting difference is news. */
  private static final int ATTEMPTS_MAX = 10;

  private static final long ATTEMPT_PAUSE_MILLIS = 100;
  private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm");

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--json", description = "Print JSON in place of the table.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    List<String> servers = cluster.servers();
    ClusterStatus status;
    try (Admin admin = Admin.connect(cluster.config().build())) {
      status = ClusterStatus.ask(admin, servers);
      for (int i = 1; i < ATTEMPTS_MAX && differs(status); i++) {
        Thread.sleep(ATTEMPT_PAUSE_MILLIS);
        status = ClusterStatus.ask(admin, servers);
      }
    }
    if (status.answers().isEmpty() && !json) {
      throw CallCommand.noServer(servers);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? StatusJson.of(status) : String.join("\n", table(status, Terminal.width())));
    out.flush();
    return status.answers().isEmpty()
        ? ExitCode.UNAVAILABLE
        : status.isWhole() ? ExitCode.OK : ExitCode.NO;
  }

  private static boolean differs(ClusterStatus status) {
    return status.answers().size() == status.servers().size() && !status.isWhole();
  }

  /** The table, on lines of at most so many characters. */
  static List<String> table(ClusterStatus status, int width) {
    TextTable table = new TextTable(width);
    table.row("server", status.servers());
    table.row(
        "up since",
        each(status, server -> status.of(server).map(StatusCommand::since).orElse("no answer")));
    for (String service : status.services()) {
      table.row("", each(status, server -> ""));
      table.row(service, each(status, server -> ""));
      addService(table, status, service);
    }
    List<String> lines = table.lines();
    lines.add("");
    for (String service : status.services()) {
      lines.addAll(Terminal.wrap(service + ": " + summary(status, service), width));
    }
    return lines;
  }

  /** Who answers and who agrees, in words. */
  private static String summary(ClusterStatus status, String service) {
    int answers = status.answers().size();
    int agree = status.inStep(service).size();
    String text = answers + " of " + status.servers().size() + " servers answer";
    if (agree == answers) {
      return answers == 1 ? text + "s" : text + ", and they agree";
    }
    return agree > 1
        ? text + ", " + agree + " of them agree; the others are catching up"
        : text + "; they are catching up with each other";
  }

  private static void addService(TextTable table, ClusterStatus status, String service) {
    List<String> inStep = status.inStep(service);
    addRow(table, status, service, "active", s -> s.active() ? "yes" : "no, joining");
    addRow(table, status, service, "executed", s -> count(s.executed()));
    addRow(table, status, service, "hash", s -> String.format("%08x", s.hash() >>> 32));
    addRow(table, status, service, "settled", s -> count(s.settled()));
    addRow(table, status, service, "unsettled", s -> count(s.unsettled()));
    addRow(table, status, service, "late", s -> count(s.late()));
    addRow(table, status, service, "rerun", s -> count(s.rerun()));
    addRow(table, status, service, "repaired", s -> count(s.repaired()));
    addRow(table, status, service, "reads", s -> count(s.reads()));
    boolean diverged =
        status.servers().stream()
            .flatMap(server -> status.of(server, service).stream())
            .anyMatch(s -> s.diverged() > 0);
    if (diverged) { // It should never be: no row for a zero.
      addRow(table, status, service, "diverged", s -> count(s.diverged()));
    }
    table.row("  agrees", each(status, server -> inStep.contains(server) ? "yes" : "no"));
  }

  private static void addRow(
      TextTable table,
      ClusterStatus status,
      String service,
      String name,
      Function<ServiceStatus, String> value) {
    table.row(
        "  " + name, each(status, server -> status.of(server, service).map(value).orElse("-")));
  }

  private static List<String> each(ClusterStatus status, Function<String, String> value) {
    return status.servers().stream().map(value).toList();
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static String since(ServerStatus status) {
    Instant started = status.started();
    boolean today = started.isAfter(Instant.now().minus(Duration.ofHours(20)));
    return (today ? TODAY : DAY).withZone(ZoneId.systemDefault()).format(started);
  }
}

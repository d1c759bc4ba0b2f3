package dev.tempest.cli;

import dev.tempest.admin.Admin;
import dev.tempest.admin.ClusterStatus;
import dev.tempest.admin.CollectionStatus;
import dev.tempest.admin.NodeStatus;
import dev.tempest.admin.ProtocolVersions;
import dev.tempest.admin.ServiceStatus;
import dev.tempest.admin.ServiceStatus.Role;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows how the nodes of a cluster are. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Shows each node, server or embedded: members, clock, services, collections, and whether"
            + " replicas agree. Asks the members, too, that the nodes name.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:all nodes answer, and all replicas agree",
      " 1:a node does not answer or speaks another version, or replicas differ for a second",
      "64:wrong usage",
      "69:no node answers, or only nodes that speak another version",
      "70:a bug in Tempest",
      "78:the configuration cannot work"
    },
    footerHeading = "%nThe rows:%n",
    footer = {
      "  up since      no answer: silent; speaks version: it runs, but does not",
      "                understand this command, and has no other rows",
      "  clock offset  how far its clock is ahead of that of this machine; the",
      "                number after +- is the largest error",
      "  dropped       datagrams, connections, messages lost or refused, by kind",
      "  members       yes: a member, as this node sees it; silent: no sign of it",
      "                for a while; -: not known to it, or not reported",
      "  role          with consistency: linearizable, leader or follower; where",
      "                nobody leads, updates and reads wait for a majority. With",
      "                primary-backup the leader is the primary; a spare has no",
      "                copy while two others have one, and would take one",
      "  executed      updates in the state of the replica",
      "  hash          of these; replicas with equal counts and hashes agree",
      "  settled       of those, the ones whose place in the order is final",
      "  lag           age of the oldest update that is not settled, 0 if all are;",
      "                about a second under load, more while a replica is away",
      "  checkpoint    age of the latest one on disk: what came later would be gone",
      "                if all nodes ended now; failing: a later one cannot be",
      "                written, and the log says why",
      "  late          updates that arrived after later ones",
      "  rerun         updates executed again because of those",
      "  repaired      updates that came from other replicas: of services, because",
      "                a datagram was lost; of collections, and with execute: any,",
      "                all that others wrote",
      "  by votes      updates that took two message delays, with ballots: fast",
      "  diverged      how often the same updates led to a different state than",
      "                elsewhere, which the replica then took: the service is not",
      "                deterministic, or servers run two releases of it",
      "  collections   entries of each, and about how many bytes these take when",
      "                encoded; in memory they take more; ? bytes: entries too",
      "                large to measure",
      "  agrees        whether it has the same state as most others; under load",
      "                replicas lag briefly behind each other",
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
    ClusterStatus status = ask(cluster.servers());
    List<String> everybody = status.everybody(cluster.namesServers());
    if (!everybody.equals(status.nodes())) {
      status = ask(everybody);
    }
    if (status.answers().isEmpty() && !json) {
      throw CallCommand.noNode(cluster, status);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? status.toJson() : String.join("\n", table(status, Terminal.width())));
    out.flush();
    return status.answers().isEmpty()
        ? ExitCode.UNAVAILABLE
        : status.isWhole() ? ExitCode.OK : ExitCode.NO;
  }

  private ClusterStatus ask(List<String> nodes) throws InterruptedException {
    try (Admin admin = Admin.connect(cluster.config(nodes).build())) {
      ClusterStatus status = ClusterStatus.ask(admin, nodes);
      for (int i = 1; i < ATTEMPTS_MAX && differs(status); i++) {
        Thread.sleep(ATTEMPT_PAUSE_MILLIS); // No node tells when they agree.
        status = ClusterStatus.ask(admin, nodes);
      }
      return status;
    }
  }

  private static boolean differs(ClusterStatus status) {
    return status.answers().size() == status.nodes().size() && !status.isWhole();
  }

  /** The table, on lines of at most so many characters. */
  static List<String> table(ClusterStatus status, int width) {
    TextTable table = new TextTable(width);
    table.row("node", status.nodes());
    table.row(
        "up since",
        each(
            status,
            node -> status.of(node).map(StatusCommand::since).orElse(absent(status, node))));
    addEach(table, status, "clock offset", StatusCommand::clockOffset);
    addDropped(table, status);
    addMembers(table, status);
    for (String service : status.services()) {
      addHeading(table, status, service);
      addService(table, status, service);
      addCollections(table, status, service);
    }
    if (status.answers().values().stream().anyMatch(each -> each.collectionsMore() > 0)) {
      addEach(table, status, "more collections", each -> count(each.collectionsMore()));
    }
    List<String> lines = table.lines();
    lines.add("");
    for (String service : status.services()) {
      lines.addAll(Terminal.wrap(service + ": " + summary(status, service), width));
    }
    String foreigners = StatusWords.foreigners(status);
    if (!foreigners.isEmpty()) {
      lines.addAll(Terminal.wrap(foreigners + ": " + StatusWords.REMEDY, width));
    }
    return lines;
  }

  /** What is known of a node that has not told how it is. */
  private static String absent(ClusterStatus status, String node) {
    ProtocolVersions spoken = status.otherVersions().get(node);
    return spoken == null ? "no answer" : "speaks " + spoken;
  }

  private static void addHeading(TextTable table, ClusterStatus status, String name) {
    table.row("", each(status, node -> ""));
    table.row(name, each(status, node -> ""));
  }

  private static void addEach(
      TextTable table, ClusterStatus status, String name, Function<NodeStatus, String> value) {
    table.row(name, each(status, node -> status.of(node).map(value).orElse("-")));
  }

  private static String clockOffset(NodeStatus status) {
    long errorMillis = status.clockError().plusMillis(1).toMillis();
    return String.format(Locale.ROOT, "%,d ms +-%,d", status.clockOffset().toMillis(), errorMillis);
  }

  private static void addDropped(TextTable table, ClusterStatus status) {
    addEach(
        table,
        status,
        "dropped",
        each -> count(each.dropped().values().stream().mapToLong(Long::longValue).sum()));
    for (String kind : StatusWords.named(status, each -> each.dropped().keySet().stream())) {
      addEach(table, status, "  " + kind, each -> count(each.dropped().getOrDefault(kind, 0L)));
    }
  }

  private static void addMembers(TextTable table, ClusterStatus status) {
    addEach(
        table,
        status,
        "members",
        each -> each.members().isEmpty() ? "joining" : count(membersOf(each)));
    for (String member :
        StatusWords.named(status, each -> each.members().stream().map(StatusWords::label))) {
      addEach(
          table,
          status,
          "  " + member,
          each ->
              each.members().stream()
                  .filter(known -> StatusWords.label(known).equals(member))
                  .map(known -> known.silent() ? "silent" : "yes")
                  .findFirst()
                  .orElse("-"));
    }
    if (status.answers().values().stream().anyMatch(each -> each.membersMore() > 0)) {
      addEach(table, status, "  and more", each -> count(each.membersMore()));
    }
  }

  private static long membersOf(NodeStatus status) {
    return status.members().size() + status.membersMore();
  }

  private static void addCollections(TextTable table, ClusterStatus status, String service) {
    for (String name :
        StatusWords.named(
            status,
            each ->
                each.collections().stream()
                    .filter(collection -> collection.service().equals(service))
                    .map(CollectionStatus::collection))) {
      addEach(
          table,
          status,
          "  " + name,
          each ->
              each.collections().stream()
                  .filter(collection -> collection.service().equals(service))
                  .filter(collection -> collection.collection().equals(name))
                  .map(StatusCommand::size)
                  .findFirst()
                  .orElse("-"));
    }
  }

  private static String size(CollectionStatus collection) {
    OptionalLong bytes = collection.sizeBytes();
    return count(collection.entries())
        + ", "
        + (bytes.isPresent() ? count(bytes.getAsLong()) : "?")
        + " B";
  }

  /** Who answers, who hosts the service and who agrees, in words. */
  private static String summary(ClusterStatus status, String service) {
    int answers = status.answers().size();
    int hosts =
        (int) status.nodes().stream().filter(s -> status.of(s, service).isPresent()).count();
    int agree = status.agreeing(service).size();
    String text =
        answers + " of " + status.nodes().size() + (answers == 1 ? " answers" : " answer");
    if (hosts < answers) {
      text += ", " + hosts + (hosts == 1 ? " hosts it" : " host it");
    }
    int spares = (int) hosts(status, service).filter(StatusCommand::isSpare).count();
    if (spares > 0) {
      text += ", " + spares + (spares == 1 ? " is a spare" : " are spares");
    }
    int copies = hosts - spares;
    if (hosts > 0 && hosts(status, service).noneMatch(ServiceStatus::active)) {
      return text + ", and none has a state: their logs say why";
    }
    if (copies <= 1) {
      return text;
    }
    if (agree == copies) {
      return text + ", and they agree";
    }
    return agree > 1
        ? text + ", " + agree + " of them agree; the others are catching up"
        : text + "; they are catching up with each other";
  }

  private static void addService(TextTable table, ClusterStatus status, String service) {
    List<String> agreeing = status.agreeing(service);
    addRow(table, status, service, "active", StatusCommand::activity);
    if (hosts(status, service).anyMatch(s -> s.role() != Role.PEER)) {
      addRow(table, status, service, "role", StatusCommand::role);
    }
    addRow(table, status, service, "executed", s -> count(s.executed()));
    addRow(table, status, service, "hash", s -> String.format("%08x", s.hash() >>> 32));
    addRow(table, status, service, "settled", s -> count(s.settled()));
    addRow(table, status, service, "unsettled", s -> count(s.unsettled()));
    addRow(table, status, service, "lag", StatusCommand::lag);
    if (hosts(status, service).anyMatch(StatusCommand::hasCheckpoints)) {
      addRow(table, status, service, "checkpoint", StatusCommand::checkpoint);
    }
    addRow(table, status, service, "late", s -> count(s.late()));
    addRow(table, status, service, "rerun", s -> count(s.rerun()));
    addRow(table, status, service, "repaired", s -> count(s.repaired()));
    addRow(table, status, service, "reads", s -> count(s.reads()));
    if (hosts(status, service).anyMatch(s -> s.byVotes() > 0)) {
      addRow(table, status, service, "by votes", s -> count(s.byVotes()));
    }
    if (hosts(status, service).anyMatch(s -> s.diverged() > 0)) { // No row for what should be.
      addRow(table, status, service, "diverged", s -> count(s.diverged()));
    }
    table.row(
        "  agrees",
        each(
            status,
            node ->
                agreeing.contains(node)
                    ? "yes"
                    : status.of(node, service).filter(s -> !isSpare(s)).isPresent() ? "no" : "-"));
  }

  private static Stream<ServiceStatus> hosts(ClusterStatus status, String service) {
    return status.nodes().stream().flatMap(node -> status.of(node, service).stream());
  }

  private static void addRow(
      TextTable table,
      ClusterStatus status,
      String service,
      String name,
      Function<ServiceStatus, String> value) {
    table.row("  " + name, each(status, node -> status.of(node, service).map(value).orElse("-")));
  }

  private static List<String> each(ClusterStatus status, Function<String, String> value) {
    return status.nodes().stream().map(value).toList();
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** One that has state and does not serve lacks code for what others have executed. */
  private static String activity(ServiceStatus status) {
    if (isSpare(status)) {
      return "no, a spare";
    }
    String passive = status.lagMillis().isPresent() ? "no, suspended" : "no, joining";
    return status.active() ? "yes" : passive;
  }

  /** Whether it has no copy, and others are to have one. */
  private static boolean isSpare(ServiceStatus status) {
    return status.role() == Role.SPARE;
  }

  private static String role(ServiceStatus status) {
    return switch (status.role()) {
      case PEER -> "-";
      case FOLLOWER -> "follower";
      case LEADER -> "leader";
      case SPARE -> "spare";
    };
  }

  private static String lag(ServiceStatus status) {
    OptionalLong lag = status.lagMillis();
    return lag.isPresent() ? count(lag.getAsLong()) + " ms" : "not known";
  }

  private static boolean hasCheckpoints(ServiceStatus status) {
    return status.checkpointMillis().isPresent() || status.checkpointFailing();
  }

  private static String checkpoint(ServiceStatus status) {
    OptionalLong millis = status.checkpointMillis();
    String age = millis.isPresent() ? count(millis.getAsLong() / 1_000) + " s" : "none";
    return status.checkpointFailing() ? age + ", failing" : age;
  }

  private static String since(NodeStatus status) {
    Instant started = status.started();
    boolean today = started.isAfter(Instant.now().minus(Duration.ofHours(20)));
    return (today ? TODAY : DAY).withZone(ZoneId.systemDefault()).format(started);
  }
}

package dev.tempest.cli;

import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.UnknownOutcomeException;
import dev.tempest.admin.Admin;
import dev.tempest.admin.ClusterStatus;
import dev.tempest.admin.MethodDescription;
import dev.tempest.admin.ServiceDescription;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.file.Spelling;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.values.UnsupportedTypeException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Calls a method of a hosted service. */
@Command(
    name = "call",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Calls a method of a service and prints what it returns.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:it returned",
      " 1:it threw, or no server could execute it: nothing has changed",
      " 2:no answer in time: it may or may not have been executed",
      "64:wrong usage: no such service or method, or other arguments expected",
      "69:no node answers",
      "70:a bug in Tempest",
      "78:the configuration cannot work"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest call cart add alice apple 3",
      "  tempest call cart check alice apple",
      "  tempest call cart add alice apple -- -1        (-- before negative numbers)"
    })
final class CallCommand implements Callable<Integer> {
  private static final long REST_MIN_MILLIS = 200;
  private static final long DEADLINE_MAX_SECONDS = FrontEndConfig.DEADLINE_MAX.toSeconds();

  @Parameters(index = "0", paramLabel = "SERVICE", description = "The name of the service.")
  private String service = "";

  @Parameters(index = "1", paramLabel = "METHOD", description = "The name of the method.")
  private String method = "";

  @Parameters(
      index = "2..*",
      arity = "0..*",
      paramLabel = "ARGUMENT",
      description = "The arguments; bytes as hex digits.")
  private List<String> arguments = List.of();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "How long to try, from 1 to 300. Default: ${DEFAULT-VALUE}.")
  private long deadlineSeconds;

  @Spec private CommandSpec spec = CommandSpec.create();

  private long untilNanos;

  @Override
  public Integer call() {
    if (deadlineSeconds < 1 || deadlineSeconds > DEADLINE_MAX_SECONDS) {
      throw new CommandException(
          ExitCode.USAGE,
          "invalid deadline of " + deadlineSeconds + " seconds",
          "option --deadline",
          "choose from 1 to " + DEADLINE_MAX_SECONDS);
    }
    List<String> servers = cluster.servers();
    untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(deadlineSeconds);
    try (Admin admin = connect(servers)) {
      ServiceDescription description = describe(admin);
      if (!description.methods().isEmpty()) {
        return call(admin, description);
      }
    }
    try (Admin further = connect(hosts(status(servers).everybody(false)))) {
      return call(further, describe(further));
    }
  }

  private ClusterStatus status(List<String> servers) {
    try (Admin admin = connect(servers)) {
      return ClusterStatus.ask(admin, servers);
    }
  }

  /** Which of the members host the service. */
  private List<String> hosts(List<String> members) {
    ClusterStatus status = status(members);
    List<String> names = status.services();
    names.removeAll(LocalNode.COLLECTIONS);
    names.removeIf(ServiceConfig::isReserved);
    List<String> silent = members.stream().filter(member -> status.of(member).isEmpty()).toList();
    if (!names.contains(service) && !silent.isEmpty()) {
      throw new CommandException(
          ExitCode.UNAVAILABLE,
          "no node that answers hosts a service called '" + service + "'",
          "no answer from " + String.join(", ", silent),
          "try again when all answer. " + Spelling.advice(service, names));
    }
    if (!names.contains(service)) {
      throw new CommandException(
          ExitCode.USAGE,
          "no service is called '" + service + "'",
          "servers " + String.join(", ", members),
          Spelling.advice(service, names));
    }
    return members.stream().filter(member -> status.of(member, service).isPresent()).toList();
  }

  private Admin connect(List<String> servers) {
    return Admin.connect(cluster.config(servers).deadline(Duration.ofMillis(restMillis())).build());
  }

  /** What is left of the deadline; a moment at least, since whoever is there answers at once. */
  private long restMillis() {
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
    return Math.max(REST_MIN_MILLIS, leftMillis);
  }

  private int call(Admin admin, ServiceDescription description) {
    MethodDescription chosen = choose(description);
    Object[] parsed = parse(chosen);
    try {
      return report(admin.call(service, chosen, parsed));
    } catch (UnsupportedTypeException unknown) {
      CommandException refusal =
          new CommandException(
              ExitCode.USAGE,
              "the result cannot be shown here: " + unknown.getMessage(),
              "service " + service + ", " + ArgumentText.signature(chosen) + "; it was not called",
              "call it from Java");
      refusal.initCause(unknown);
      throw refusal;
    }
  }

  private ServiceDescription describe(Admin admin) {
    try {
      return admin.describe(service);
    } catch (UnknownOutcomeException e) {
      CommandException refusal = noNode(cluster, status(cluster.servers()));
      refusal.initCause(e);
      throw refusal;
    }
  }

  /** The complaint when nobody answers, or only nodes that do not understand this command. */
  static CommandException noNode(ClusterOptions cluster, ClusterStatus status) {
    String foreigners = StatusWords.foreigners(status);
    if (!foreigners.isEmpty()) {
      return new CommandException(
          ExitCode.UNAVAILABLE,
          "no node of cluster '" + cluster.clusterName() + "' understands this command",
          foreigners,
          StatusWords.REMEDY);
    }
    return new CommandException(
        ExitCode.UNAVAILABLE,
        "no node of cluster '" + cluster.clusterName() + "' answers",
        String.join(", ", cluster.servers()),
        "if they run, they may be busy: try again. Else start one with tempest server or tempest"
            + " demo --keep, or name others with --servers, or their cluster with --cluster");
  }

  private MethodDescription choose(ServiceDescription description) {
    List<MethodDescription> named =
        description.methods().stream().filter(one -> one.name().equals(method)).toList();
    if (named.isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE,
          service + " has no method '" + method + "'",
          "its methods: " + signatures(description.methods()),
          Spelling.nearest(
                  method, description.methods().stream().map(MethodDescription::name).toList())
              .map(nearest -> "did you mean '" + nearest + "'?")
              .orElse("choose one of them"));
    }
    return named.stream()
        .filter(one -> one.parameters().size() == arguments.size())
        .findFirst()
        .orElse(named.getFirst());
  }

  private Object[] parse(MethodDescription chosen) {
    try {
      return ArgumentText.parse(chosen, arguments);
    } catch (IllegalArgumentException e) {
      CommandException refusal =
          new CommandException(
              ExitCode.USAGE,
              String.valueOf(e.getMessage()),
              "service " + service,
              "it is declared as " + ArgumentText.signature(chosen));
      refusal.initCause(e);
      throw refusal;
    }
  }

  private int report(Outcome<Object> outcome) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    int exitCode =
        switch (outcome) {
          case Outcome.Ok<Object>(Object value) -> {
            out.println(ArgumentText.print(value));
            yield ExitCode.OK;
          }
          case Outcome.Threw<Object> threw -> {
            err.println("tempest: " + service + "." + method + " threw " + threw.what());
            yield ExitCode.NO;
          }
          case Outcome.Unable<Object>(var reason, String detail) -> {
            err.println("tempest: Not executed (" + reason + "): " + detail);
            yield ExitCode.NO;
          }
          case Outcome.Unknown<Object>(String detail) -> {
            String end = detail.endsWith(".") ? "" : ".";
            err.println("tempest: " + detail + end + " See " + cluster.commandLine("status"));
            yield ExitCode.UNKNOWN;
          }
        };
    out.flush();
    err.flush();
    return exitCode;
  }

  private static String signatures(List<MethodDescription> methods) {
    return methods.stream().map(ArgumentText::signature).collect(Collectors.joining(", "));
  }
}

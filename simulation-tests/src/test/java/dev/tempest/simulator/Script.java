package dev.tempest.simulator;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scenario file: lines that begin with {@code >} are commands, indented ones are what came of
 * them, others are for the reader.
 */
final class Script {
  private static final String COMMAND = "> ";
  private static final String OUTPUT = "    ";

  private final LedgerWorkload workload = new LedgerWorkload();
  private final List<String> output = new ArrayList<>();
  private @Nullable Cluster cluster;

  private Script() {}

  /** Runs all commands; the file as it has to be. */
  static List<String> run(List<String> lines) {
    Script script = new Script();
    List<String> result = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith(COMMAND)) {
        result.add(line);
        script.command(line.substring(COMMAND.length()).split(" "));
        script.output.stream()
            .flatMap(String::lines)
            .forEach(text -> result.add(OUTPUT + text.stripTrailing()));
        script.output.clear();
      } else if (!line.startsWith(OUTPUT)) {
        result.add(line);
      }
    }
    return result;
  }

  private void command(String... words) {
    switch (words[0]) {
      case "world" -> world(Integer.parseInt(words[1]), Integer.parseInt(words[3]));
      case "start" -> process(words[1]).start();
      case "crash" -> process(words[1]).crash();
      case "cut" -> cluster().network().cut(process(words[1]).index, process(words[2]).index);
      case "mend" -> cluster().network().mend(process(words[1]).index, process(words[2]).index);
      case "ask" -> ask(words);
      case "run" -> cluster().runMillis(Long.parseLong(words[1]));
      case "show" -> show(words[1]);
      default -> throw new IllegalArgumentException("no command: " + words[0]);
    }
  }

  private void world(int replicas, int frontEnds) {
    Agenda agenda = new Agenda();
    cluster =
        new Cluster(
            Parameters.perfect(replicas, frontEnds),
            workload,
            new Randomness(1),
            agenda,
            Trace.of(agenda, 1, output::add),
            Cluster.Machines.production());
  }

  private Cluster cluster() {
    if (cluster == null) {
      throw new IllegalStateException("a script begins with: world N replicas M front-ends");
    }
    return cluster;
  }

  private SimProcess process(String name) {
    int number = Integer.parseInt(name.substring(1));
    return name.startsWith("r")
        ? cluster().replicas().get(number - 1)
        : cluster().frontEnds().get(number - 1);
  }

  private void ask(String... words) {
    Invocation invocation =
        switch (words[2]) {
          case "add" -> workload.update("add", words[3], Long.parseLong(words[4]));
          case "append", "spend" -> workload.update(words[2], words[3]);
          case "sum" -> workload.read("sum", words[3]);
          default -> throw new IllegalArgumentException("nothing to ask: " + words[2]);
        };
    if (process(words[1]) instanceof FrontEndProcess frontEnd) {
      frontEnd.submit(invocation, 1_000, () -> {});
    }
  }

  private void show(String key) {
    for (ReplicaProcess replica : cluster().replicas()) {
      if (replica.isUp()) {
        var machine = replica.machine();
        var status = machine.status();
        output.add(
            replica.name
                + " "
                + key
                + "="
                + workload.ask(replica.instance(), machine.version(), "sum", key)
                + " executed "
                + status.executed()
                + " unsettled "
                + status.unsettled()
                + " repaired "
                + status.repaired());
      }
    }
  }
}

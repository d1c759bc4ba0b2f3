package dev.tempest.bench.command;

import dev.tempest.bench.CollectionsBenchmark;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The collections of a node. */
@Command(
    name = "collections",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "The maps of a node beside ConcurrentHashMap, TreeMap, ConcurrentSkipListMap and the"
          + " ReplicatedMap of Hazelcast; about four minutes, with 4 GB of memory.",
      "",
      "Maps: 1,000 and 1,000,000 strings, each map in a process of its own and ours and"
          + " Hazelcast's in a second one too, used by one thread. Time is that of the caller."
          + " Keys are equal to those in the map, not the same objects. The maps take turns in"
          + " rounds, and ratios are those of one round; before the next map's turn all writes"
          + " have reached the second process. 'put, 1,000/s' is 10 puts every 10 ms, each timed"
          + " by itself.",
      "",
      "Bytes: by how much the heap grows when the same keys and values are put into each map.",
      "",
      "Start: from the start of a process until its first put is done, and of a second one until"
          + " it sees that. Idle: resident memory and processor time of two nodes with -Xmx64m."
          + " Both with no other option of Java, on this one and on that of JAVA21_HOME.",
      "",
      "Each number that is a goal stands beside it at the end, reached or not."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest bench collections",
      "  tempest bench collections --part maps --entries 1000 --rounds 5",
      "  tempest bench collections --part start,idle"
    })
final class CollectionsBenchCommand extends BenchmarkCommand<CollectionsBenchmark.Options> {
  @Option(names = "--full", description = "More rounds and longer ones; about ten minutes.")
  private boolean full;

  @Option(
      names = "--part",
      split = ",",
      paramLabel = "PART",
      description = "What to measure: maps, sorted, bytes, start, idle. Default: all of it.")
  private @Nullable List<CollectionsBenchmark.Part> parts;

  @Option(
      names = "--entries",
      split = ",",
      paramLabel = "N",
      description = "How many entries maps have, the smallest number first.")
  private @Nullable List<Integer> sizes;

  @Option(names = "--rounds", paramLabel = "N", description = "How often maps are compared.")
  private @Nullable Integer rounds;

  @Option(names = "--seconds", paramLabel = "N", description = SECONDS)
  private @Nullable Double seconds;

  @Override
  CollectionsBenchmark.Options options() {
    CollectionsBenchmark.Options chosen =
        full ? CollectionsBenchmark.Options.full() : CollectionsBenchmark.Options.defaults();
    chosen =
        chosen.withRounds(
            rounds == null ? chosen.rounds() : rounds,
            seconds == null ? chosen.each() : seconds(seconds),
            chosen.warmUp());
    if (parts != null) {
      chosen = chosen.withParts(EnumSet.copyOf(parts));
    }
    if (sizes != null) {
      chosen = chosen.withSizes(sizes);
    }
    return folder() == null ? chosen : chosen.withFolder(folder());
  }

  @Override
  void run(CollectionsBenchmark.Options options, PrintWriter out)
      throws IOException, InterruptedException {
    CollectionsBenchmark.run(options, out);
  }
}

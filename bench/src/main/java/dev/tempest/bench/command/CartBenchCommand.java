package dev.tempest.bench.command;

import dev.tempest.bench.CartBenchmark;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The cart under load. */
@Command(
    name = "cart",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "The cart on three replicas under 1 to 1,024 clients, requests of 1,024 B, half of them"
          + " updates, with and without think time; about three minutes.",
      "",
      "With --full, the times and up to 1,024 clients of the Tempest paper; about 25 minutes."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest bench cart",
      "  tempest bench cart --clients 1,16,128 --rounds 3 --seconds 1"
    })
final class CartBenchCommand extends BenchmarkCommand<CartBenchmark.Options> {
  @Option(names = "--full", description = "As long and with as many clients as the paper.")
  private boolean full;

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "N",
      description = "The numbers of clients, with commas between.")
  private @Nullable List<Integer> clients;

  @Option(names = "--rounds", paramLabel = "N", description = ROUNDS)
  private @Nullable Integer rounds;

  @Option(names = "--seconds", paramLabel = "N", description = SECONDS)
  private @Nullable Double seconds;

  @Override
  CartBenchmark.Options options() {
    CartBenchmark.Options chosen =
        full ? CartBenchmark.Options.full() : CartBenchmark.Options.defaults();
    chosen =
        chosen.withRounds(
            rounds == null ? chosen.rounds() : rounds,
            seconds == null ? chosen.perRound() : seconds(seconds));
    if (clients != null) {
      chosen = chosen.withClients(clients);
    }
    return folder() == null ? chosen : chosen.withFolder(folder());
  }

  @Override
  void run(CartBenchmark.Options options, PrintWriter out)
      throws IOException, InterruptedException {
    CartBenchmark.run(options, out);
  }
}

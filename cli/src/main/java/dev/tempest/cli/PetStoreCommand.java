package dev.tempest.cli;

import dev.tempest.examples.petstore.PetStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A pet shop of seven services on three servers, one of which is killed. */
@Command(
    name = "petstore",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "A pet shop of seven services: each page asks all of them at once.",
      "",
      "Starts three server processes that host a catalog, a search index, the stock, orders,"
          + " bestsellers, recommendations, and a service that does nothing. Shoppers look at"
          + " pages, each built out of seven requests with one deadline, and buy now and then;"
          + " meanwhile 1 %% of all datagrams is dropped, and a server is killed and started again."
          + " At the end the replicas of every service have to be equal, and every pet that was"
          + " delivered to be in the stock or in an order."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:all replicas are equal, and no pet is missing",
      " 1:they are not, or not in time, or a sale failed; what is wrong is shown",
      "64:wrong usage",
      "70:a bug in Tempest"
    },
    footerHeading = "%nExamples:%n",
    footer = {"  tempest demo petstore", "  tempest demo petstore --seconds 60 --shoppers 32"})
final class PetStoreCommand implements Callable<Integer> {
  private static final int SECONDS_MIN = 3;
  private static final int SECONDS_MAX = 3_600;
  private static final int SHOPPERS_MAX = 256;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "15",
      description =
          "How long the shop is open, from " + SECONDS_MIN + ". Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--shoppers",
      paramLabel = "N",
      defaultValue = "8",
      description =
          "How many are in the shop, 1 to " + SHOPPERS_MAX + ". Default: ${DEFAULT-VALUE}.")
  private int shoppers;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seconds < SECONDS_MIN || seconds > SECONDS_MAX || shoppers < 1 || shoppers > SHOPPERS_MAX) {
      throw new CommandException(
          ExitCode.USAGE,
          "cannot run " + shoppers + " shoppers for " + seconds + " seconds",
          "options --shoppers and --seconds",
          "choose 1 to "
              + SHOPPERS_MAX
              + " shoppers, "
              + SECONDS_MIN
              + " to "
              + SECONDS_MAX
              + " seconds");
    }
    PrintWriter out = spec.commandLine().getOut();
    DemoCluster cluster = DemoCluster.start(DemoOrder.TIME, PetStore.services());
    boolean well = false;
    try {
      well = new PetStoreRun(cluster, shoppers, Duration.ofSeconds(seconds), out).run();
    } finally {
      if (well) {
        cluster.close();
      } else {
        cluster.destroy();
        out.println("The servers' logs are in " + cluster.folder());
        out.flush();
      }
    }
    return well ? ExitCode.OK : ExitCode.NO;
  }
}

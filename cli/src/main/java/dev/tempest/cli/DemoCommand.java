package dev.tempest.cli;

import dev.tempest.admin.Admin;
import dev.tempest.examples.cart.CartLine;
import dev.tempest.examples.cart.OrderFile;
import dev.tempest.examples.cart.OrderLine;
import dev.tempest.examples.cart.ShoppingCartService;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A year of real orders on three servers, one of which is killed. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = PetStoreCommand.class,
    description = {
      "Three servers on this machine, a year of a shop's orders, one server killed.",
      "",
      "Starts three server processes that host a shopping cart, replays 28,000 real order lines"
          + " through 16 front-ends, drops 1 %% of all datagrams, kills a server in the middle and"
          + " starts it again. At the end the carts of every replica have to equal those of a"
          + " sequential replay, entry by entry.",
      "",
      "With --order consensus the servers agree on each order before it is answered, and the"
          + " server is killed that leads. While a cart line is ordered, and after, another"
          + " front-end reads it. At the end the history of each cart line has to be linearizable:"
          + " every order counted once, and gave what it should after those before it; every read"
          + " showed one of these counts, none older than what had been answered or read before it"
          + " began."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:all replicas equal the sequential replay; answers are linearizable, if asked for",
      " 1:they do not, or not in time, or an order failed; what is wrong is shown",
      "64:wrong usage",
      "70:a bug in Tempest"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest demo",
      "  tempest demo --keep              keep the servers, to try call and status",
      "  tempest demo --seconds 10 --lines 5000",
      "  tempest demo --order consensus   kill the leader, check what clients saw",
      "  tempest demo petstore            seven services, each page asks all"
    })
final class DemoCommand implements Callable<Integer> {
  /** Keeps the promise of about {@code --seconds}: what starting and comparing take. */
  private static final int OVERHEAD_SECONDS = 4;

  private static final int DIFFERENCES_SHOWN = 20;

  @Option(
      names = "--order",
      paramLabel = "NAME",
      defaultValue = "time",
      description =
          "What decides in which order updates count: time, or consensus of the servers."
              + " Default: ${DEFAULT-VALUE}.")
  private DemoOrder by = DemoOrder.TIME;

  @Option(names = "--keep", description = "Keep the servers running until Enter or Ctrl-C.")
  private boolean keep;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "About how long it takes, from 10. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--lines",
      paramLabel = "N",
      defaultValue = "28000",
      description = "How many order lines, from 1. Default: all ${DEFAULT-VALUE}.")
  private int lines;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<OrderLine> orders = OrderFile.sample();
    if (seconds < 10 || seconds > 3_600 || lines < 1 || lines > orders.size()) {
      throw new CommandException(
          ExitCode.USAGE,
          "cannot replay " + lines + " lines in " + seconds + " seconds",
          "options --lines and --seconds",
          "choose 1 to " + orders.size() + " lines, 10 to 3600 seconds");
    }
    orders = orders.subList(0, lines);
    PrintWriter out = spec.commandLine().getOut();
    DemoCluster cluster =
        DemoCluster.start(by, Map.of(DemoCluster.SERVICE, ShoppingCartService.class));
    boolean equal = false;
    try {
      equal =
          new DemoRun(by, cluster, orders, Duration.ofSeconds(seconds - OVERHEAD_SECONDS), out)
                  .run()
              && compare(cluster, orders, out);
      if (keep) {
        keep(cluster, orders, out);
      }
    } finally {
      if (equal) {
        cluster.close();
      } else {
        cluster.destroy();
        out.println("The servers' logs are in " + cluster.folder());
        out.flush();
      }
    }
    return equal ? ExitCode.OK : ExitCode.NO;
  }

  private static boolean compare(DemoCluster cluster, List<OrderLine> orders, PrintWriter out) {
    SortedMap<CartLine, Integer> expected = OrderFile.replay(orders);
    boolean equal = true;
    try (Admin admin = Admin.connect(cluster.frontEnd().deadline(Duration.ofSeconds(30)).build())) {
      for (String server : cluster.servers()) {
        List<String> differences =
            DemoComparison.differences(expected, DemoComparison.carts(admin, server));
        if (!differences.isEmpty()) {
          equal = false;
          out.println(server + " differs in " + differences.size() + " cart lines:");
          differences.stream().limit(DIFFERENCES_SHOWN).forEach(line -> out.println("  " + line));
        }
      }
    }
    if (equal) {
      out.printf(
          Locale.ROOT,
          "%,d orders, %d replicas, %,d cart lines each: all equal%n",
          orders.size(),
          cluster.servers().size(),
          expected.size());
      long empty = orders.stream().map(OrderLine::cartLine).distinct().count() - expected.size();
      if (empty > 0) { // They are among those whose histories were checked.
        out.printf(
            Locale.ROOT,
            "%,d more lines are empty at the end: all that they had was sent back%n",
            empty);
      }
    }
    out.flush();
    return equal;
  }

  private static void keep(DemoCluster cluster, List<OrderLine> orders, PrintWriter out)
      throws IOException, InterruptedException {
    CartLine line = OrderFile.replay(orders).firstKey();
    String cart = line.customer() + " " + line.item();
    String options = cluster.toolOptions();
    out.println();
    out.println("The servers keep running. In another terminal, try");
    // The launcher says by what name it was called.
    String tempest = System.getProperty("tempest.command", "tempest");
    out.println("  " + tempest + " call cart check " + cart + options);
    out.println("  " + tempest + " call cart add " + cart + " 1" + options);
    out.println("  " + tempest + " status" + options);
    out.println("Enter or Ctrl-C stops them.");
    out.flush();
    int typed = System.in.read();
    while (typed >= 0 && typed != '\n') {
      typed = System.in.read();
    }
    if (typed < 0) {
      // Nobody can press Enter here; a signal ends the process, and its hook the servers.
      new CountDownLatch(1).await();
    }
  }
}

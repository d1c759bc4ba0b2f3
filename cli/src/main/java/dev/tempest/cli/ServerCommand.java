package dev.tempest.cli;

import dev.tempest.config.NodeConfig;
import dev.tempest.config.file.NodeSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs one server in the foreground. */
@Command(
    name = "server",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Runs one server of a cluster, until it is stopped with Ctrl-C or SIGTERM: a node that"
            + " keeps the cluster's collections and hosts the services of its file.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:stopped as it was told",
      "64:wrong usage",
      "69:the port is taken, or the address is not of this machine",
      "70:a bug or a full memory has stopped it, all of its services have stopped, or a method has"
          + " ended the process",
      "78:the configuration cannot work"
    },
    footerHeading = "%nExample of a configuration file; every key has a default:%n",
    footer = {
      "  cluster: shop",
      "  members: [10.0.0.1:7400, 10.0.0.2:7400, 10.0.0.3:7400]",
      "  services:",
      "    - name: cart",
      "      class: dev.tempest.examples.cart.ShoppingCartService",
      "      jar: lib/cart.jar       # if it is not on the class path",
      "%nAll keys: tempest config schema, docs/reference/configuration.md.",
      "Environment variables go before the file, options before those:",
      "  TEMPEST_LISTEN=127.0.0.1:7401 tempest server",
      "  tempest server --config cart.yaml --listen 127.0.0.1:7401"
    })
final class ServerCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The configuration file. Default: TEMPEST_CONFIG, else tempest.yaml here, if there is"
              + " one.")
  private @Nullable Path config;

  @Option(
      names = "--listen",
      paramLabel = "HOST[:PORT]",
      description = "Where this server listens; overrides the file.")
  private @Nullable String listen;

  @Option(
      names = "--members",
      paramLabel = "HOST:PORT,...",
      description = "All members, this server included; overrides the file.")
  private @Nullable String members;

  @Option(
      names = "--until-stdin-closes",
      hidden = true,
      description = "Stop too when the standard input ends, as it does when a parent dies.")
  private boolean untilStdinCloses;

  @Override
  public Integer call() throws InterruptedException {
    Map<String, String> options = new HashMap<>();
    if (listen != null) {
      options.put("listen", listen);
    }
    if (members != null) {
      options.put("members", members);
    }
    PrintStream out = System.out;
    PrintStream err = System.err;
    NodeSettings settings = NodeSettings.load(config, options);
    NodeConfig node = settings.config();
    Optional<Server.Http> http =
        settings.http().map(place -> new Server.Http(place, settings.httpAdvertise()));
    try (Server server = Server.start(node, http, out)) {
      var ending = new AtomicBoolean();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, ending, err), "stop"));
      if (untilStdinCloses) {
        Thread.ofPlatform().daemon().name("stdin").start(ServerCommand::exitWhenStdinCloses);
      }
      try {
        Optional<String> why = server.serve();
        if (why.isPresent()) {
          throw new CommandException(
              ExitCode.BUG,
              why.get(),
              "server " + server.address(),
              "do what its log says, and start it again");
        }
        return ExitCode.OK;
      } finally {
        ending.set(true); // The shutdown hook would make a success of a failure.
      }
    } catch (UncheckedIOException e) {
      CommandException unavailable =
          new CommandException(
              ExitCode.UNAVAILABLE,
              "the server cannot listen: " + e.getMessage(),
              node.listen().toString(),
              "say where with --listen, or with listen in the file");
      unavailable.initCause(e);
      throw unavailable;
    }
  }

  private static void stop(Server server, AtomicBoolean ending, PrintStream err) {
    if (ending.compareAndSet(false, true)) {
      Optional<String> code = ExitCaller.find(ServerCommand.class);
      server.close();
      System.out.flush();
      if (code.isPresent()) {
        err.println(
            "tempest: %s has ended this server by System.exit (server %s). Throw an exception there"
                .formatted(code.get(), server.address()));
        err.flush();
        Runtime.getRuntime().halt(ExitCode.BUG);
      }
      // A signal would make the code 143; who stops a server on purpose wants to read 0.
      Runtime.getRuntime().halt(ExitCode.OK);
    }
  }

  private static void exitWhenStdinCloses() {
    try {
      while (System.in.read() >= 0) {
        // What is typed means nothing.
      }
    } catch (IOException e) {
      // It closed too.
    }
    System.exit(ExitCode.OK);
  }
}

package dev.tempest.cli;

import dev.tempest.server.Server;
import dev.tempest.server.ServerFile;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
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
    description = "Runs one server of a cluster, until it is stopped with Ctrl-C or SIGTERM.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:stopped as it was told",
      "64:wrong usage",
      "69:the port is taken, or the address is not of this machine",
      "70:a bug in Tempest",
      "78:the configuration cannot work"
    },
    footerHeading = "%nExample of a configuration file; all but services has a default:%n",
    footer = {
      "  cluster: tempest",
      "  listen: 127.0.0.1:7400",
      "  servers: [127.0.0.1:7400, 127.0.0.1:7401, 127.0.0.1:7402]",
      "  multicast: 45790            # a port, or off",
      "  gossip-interval: 100ms",
      "  services:",
      "    - name: cart",
      "      class: dev.tempest.examples.cart.ShoppingCartService",
      "      jar: lib/cart.jar       # if it is not on the class path",
      "      unchecked: [org.slf4j]  # classes and packages that may read clocks",
      "  faults:",
      "    drop-percent: 0           # of arriving datagrams, for demonstrations",
      "%nEnvironment variables go before the file, options before those:",
      "  TEMPEST_LISTEN=127.0.0.1:7401 tempest server --config cart.yaml",
      "  tempest server --config cart.yaml --listen 127.0.0.1:7401"
    })
final class ServerCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The configuration file.")
  private Path config = Path.of("");

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where this server is reached, in place of the file's.")
  private @Nullable String listen;

  @Option(
      names = "--servers",
      paramLabel = "HOST:PORT,...",
      description = "All servers, this one included, in place of the file's.")
  private @Nullable String servers;

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
    if (servers != null) {
      options.put("servers", servers);
    }
    PrintStream out = System.out;
    ServerFile file = ServerFile.read(config, System.getenv(), options);
    try (Server server = Server.start(file, out)) {
      var told = new AtomicBoolean();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, told), "stop"));
      if (untilStdinCloses) {
        Thread.ofPlatform().daemon().name("stdin").start(ServerCommand::exitWhenStdinCloses);
      }
      server.serve();
      if (told.compareAndSet(false, true)) { // The shutdown hook would make a success of it.
        throw new IllegalStateException("the server " + file.node().self() + " stopped by itself");
      }
      return ExitCode.OK;
    } catch (UncheckedIOException e) {
      CommandException unavailable =
          new CommandException(
              ExitCode.UNAVAILABLE,
              "the server cannot listen (" + e.getMessage() + ")",
              file.node().self(),
              "stop what uses the port, or choose another with --listen");
      unavailable.initCause(e);
      throw unavailable;
    }
  }

  private static void stop(Server server, AtomicBoolean told) {
    if (told.compareAndSet(false, true)) {
      server.close();
      System.out.flush();
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

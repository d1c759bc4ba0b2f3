package dev.tempest.bench;

import dev.tempest.bench.load.ChildProcess;
import dev.tempest.bench.servlet.BusyLoops;
import dev.tempest.bench.servlet.CartKind;
import dev.tempest.bench.servlet.HttpLoad;
import dev.tempest.bench.servlet.ServletProgram;
import dev.tempest.runtime.FreePorts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The processes of servlets, of what is behind them, and of the load. Closing ends them all. */
final class ServletProcesses implements AutoCloseable {
  private static final String REDIS = "redis-server";

  /** Servlets with an embedded map, of which one is loaded. */
  private static final int NODES = 3;

  /** Ends Redis once the parent is gone, as all children end. */
  private static final String REDIS_SCRIPT =
      REDIS + " \"$@\" >&2 & echo ready; read -r gone; kill $!";

  private final Path log;
  private final boolean virtualThreads;
  private final Processes processes;
  private final List<ChildProcess> redis = new ArrayList<>();
  private @Nullable ChildProcess load;

  ServletProcesses(Path log, boolean virtualThreads) {
    this.log = log;
    this.virtualThreads = virtualThreads;
    this.processes = new Processes(log);
  }

  /** Whether this machine has Redis. */
  static boolean hasRedis() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(path)
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, REDIS)));
  }

  /** Starts a servlet with what is behind it. */
  ServletContestant start(CartKind kind) throws IOException, InterruptedException {
    ChildProcess loading = load;
    if (loading == null) {
      loading = processes.start("load", HttpLoad.class, List.of());
      loading.awaitReady();
      load = loading;
    }
    int port = FreePorts.find(1).getFirst();
    ChildProcess servlet =
        switch (kind) {
          case LOCAL, HAND_OVER -> servlet(kind, port, List.of());
          case REDIS -> servlet(kind, port, List.of(String.valueOf(redis())));
          case SERVICE -> servlet(kind, port, processes.tempest().address());
          case EMBEDDED -> embedded(port);
        };
    return new ServletContestant(kind, loading, servlet, port);
  }

  private ChildProcess embedded(int port) throws IOException, InterruptedException {
    List<String> cluster = List.of(Processes.newClusterName());
    ChildProcess first = servlet(CartKind.EMBEDDED, port, cluster);
    for (int other : FreePorts.find(NODES - 1)) {
      servlet(CartKind.EMBEDDED, other, cluster);
    }
    return first;
  }

  private ChildProcess servlet(CartKind kind, int port, List<String> further)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add(String.valueOf(port));
    arguments.add(String.valueOf(virtualThreads));
    arguments.add(kind.name());
    arguments.addAll(further);
    ChildProcess servlet = processes.start(kind.title(), ServletProgram.class, arguments);
    servlet.awaitReady();
    return servlet;
  }

  /** Starts Redis and two copies that follow it, all in memory only. Returns its port. */
  private int redis() throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.find(NODES);
    for (int port : ports) {
      List<String> command = new ArrayList<>(List.of("sh", "-c", REDIS_SCRIPT, REDIS));
      command.addAll(List.of("--bind", "127.0.0.1", "--port", String.valueOf(port)));
      command.addAll(List.of("--save", "", "--appendonly", "no"));
      command.addAll(List.of("--dir", log.toAbsolutePath().resolveSibling("").toString()));
      command.addAll(List.of("--dbfilename", "redis-" + port + ".rdb"));
      command.addAll(List.of("--repl-diskless-sync-delay", "0"));
      if (port != ports.getFirst()) {
        command.addAll(List.of("--replicaof", "127.0.0.1 " + ports.getFirst()));
      }
      ChildProcess process = ChildProcess.start(REDIS, command, log);
      redis.add(process);
      process.awaitReady();
    }
    return ports.getFirst();
  }

  /** Keeps processors busy from now on, by so many loops. */
  void busyLoops(int count) throws IOException, InterruptedException {
    processes.start("busy", BusyLoops.class, List.of(String.valueOf(count))).awaitReady();
  }

  @Override
  public void close() {
    processes.close();
    redis.forEach(ChildProcess::close);
  }
}

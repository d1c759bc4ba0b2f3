package dev.tempest.cli;

import dev.tempest.FrontEndConfig;
import dev.tempest.admin.Admin;
import dev.tempest.admin.ClusterStatus;
import dev.tempest.admin.ServiceStatus;
import dev.tempest.runtime.FreePorts;
import java.io.File;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Three server processes on this machine. They end with this object, and at the latest with this
 * process.
 *
 * <p>Thread-safe.
 */
final class DemoCluster implements AutoCloseable {
  static final String SERVICE = "cart";
  static final double DROP_PERCENT = 1;
  private static final String DROP_PERCENT_PROPERTY = "tempest.test.drop-percent";

  private static final String LINEARIZABLE = "\n    consistency: linearizable";

  private static final int SERVERS = 3;
  private static final List<Integer> USUAL_PORTS = List.of(7400, 7401, 7402);
  private static final long STOP_SECONDS = 5;
  private static final long START_MAX_NANOS = 60_000_000_000L;
  private static final long LOOK_MILLIS = 40;

  private final Path folder;
  private final String name;
  private final List<String> servers;
  private final DemoOrder by;
  private final Map<String, Class<?>> services;
  private final List<@Nullable Process> processes = new ArrayList<>();

  private DemoCluster(
      Path folder,
      String name,
      List<String> servers,
      DemoOrder by,
      Map<String, Class<?>> services) {
    this.folder = folder;
    this.name = name;
    this.servers = servers;
    this.by = by;
    this.services = services;
  }

  /**
   * Starts the processes, on the ports that tools try first if those are free.
   *
   * @param by in which order the updates of all services count
   * @param services what they host: each name with its class
   */
  static DemoCluster start(DemoOrder by, Map<String, Class<?>> services) throws IOException {
    List<Integer> ports = areFree(USUAL_PORTS) ? USUAL_PORTS : FreePorts.find(SERVERS);
    // Clusters on one machine share multicast groups; another name keeps them apart.
    String name =
        ports.equals(USUAL_PORTS)
            ? FrontEndConfig.DEFAULT_CLUSTER
            : "demo-" + ProcessHandle.current().pid();
    DemoCluster cluster =
        new DemoCluster(
            Files.createTempDirectory("tempest-demo-"),
            name,
            ports.stream().map(port -> "127.0.0.1:" + port).toList(),
            by,
            services);
    Runtime.getRuntime().addShutdownHook(new Thread(cluster::destroy, "stop-servers"));
    try {
      for (int i = 0; i < SERVERS; i++) {
        Files.writeString(cluster.file(i, "yaml"), cluster.configuration(i));
        cluster.processes.add(cluster.launch(i));
      }
      return cluster;
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  /** All servers as {@code host:port}. */
  List<String> servers() {
    return servers;
  }

  /** How front-ends reach the cluster. */
  FrontEndConfig.Builder frontEnd() {
    return FrontEndConfig.builder(servers).cluster(name);
  }

  /** From now on front-ends that open in this process lose datagrams, as the servers do. */
  static void dropDatagrams() {
    System.setProperty(DROP_PERCENT_PROPERTY, String.valueOf(DROP_PERCENT));
  }

  /** What tools need to reach it, beginning with a blank; nothing if they find it by themselves. */
  String toolOptions() {
    return name.equals(FrontEndConfig.DEFAULT_CLUSTER)
        ? ""
        : " --cluster " + name + " --servers " + String.join(",", servers);
  }

  /** Where the servers write their logs. */
  Path folder() {
    return folder;
  }

  /** Kills a server without giving it a chance to do anything about it. */
  synchronized void kill(int server) throws InterruptedException {
    Process process = processes.get(server);
    if (process != null) {
      processes.set(server, null);
      process.destroyForcibly().waitFor();
    }
  }

  /** Starts a killed server again. */
  synchronized void restart(int server) throws IOException {
    processes.set(server, launch(server));
  }

  /**
   * Checks that every server runs that was not killed.
   *
   * @throws CommandException naming the log of one that does not
   */
  synchronized void check() {
    for (int i = 0; i < processes.size(); i++) {
      Process process = processes.get(i);
      if (process != null && !process.isAlive()) {
        throw new CommandException(
            ExitCode.BUG,
            "server " + (i + 1) + " ended by itself with exit code " + process.exitValue(),
            file(i, "log").toString(),
            "read the log" + lastLine(i));
      }
    }
  }

  /**
   * Waits until every server is ready in all that it hosts.
   *
   * @throws CommandException if that takes more than a minute, or a server ends
   */
  void awaitActive(Admin watcher) throws InterruptedException {
    long startNanos = System.nanoTime();
    for (long ready = ready(watcher); ready < servers.size(); ready = ready(watcher)) {
      check();
      if (System.nanoTime() - startNanos > START_MAX_NANOS) {
        throw new CommandException(
            ExitCode.BUG,
            ready + " of " + servers.size() + " servers are ready after a minute",
            "logs in " + folder,
            "read the logs");
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private long ready(Admin watcher) {
    ClusterStatus status = ClusterStatus.ask(watcher, servers);
    return servers.stream()
        .filter(server ->
            services.keySet().stream()
                .allMatch(service ->
                    status.of(server, service).filter(ServiceStatus::active).isPresent()))
        .count();
  }

  /** What a server has said, since it was last started, about where its state came from. */
  Optional<String> stateNews(String service, int server) throws IOException {
    String prefix = service + ": ";
    try (Stream<String> lines = Files.lines(file(server, "log"))) {
      return lines
          .filter(line -> line.startsWith(prefix))
          .map(line -> line.substring(prefix.length()))
          .findFirst();
    }
  }

  /** Stops the servers and removes their files. */
  @Override
  public void close() {
    destroy();
    for (int i = 0; i < SERVERS; i++) {
      delete(file(i, "yaml"));
      delete(file(i, "log"));
    }
    delete(folder);
  }

  /** Stops the servers and keeps their files, for somebody to read. */
  synchronized void destroy() {
    for (Process process : processes) {
      if (process != null) {
        process.destroy();
      }
    }
    for (Process process : processes) {
      if (process != null && !hasEnded(process)) {
        process.destroyForcibly();
      }
    }
    processes.clear();
  }

  private static boolean hasEnded(Process process) {
    try {
      return process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Process launch(int server) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-XX:+UseSerialGC");
    command.add("-D" + DROP_PERCENT_PROPERTY + "=" + DROP_PERCENT);
    command.addAll(codeOptions());
    command.addAll(
        List.of("server", "--config", file(server, "yaml").toString(), "--until-stdin-closes"));
    File log = file(server, "log").toFile();
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.to(log))
        .start();
  }

  /** The same code as this process runs, by class path or module path. */
  private static List<String> codeOptions() {
    String modules = System.getProperty("jdk.module.path");
    Module module = Main.class.getModule();
    return modules != null && module.isNamed()
        ? List.of("-p", modules, "-m", module.getName() + "/" + Main.class.getName())
        : List.of("-cp", System.getProperty("java.class.path"), Main.class.getName());
  }

  private String configuration(int server) {
    return String.join(
        "\n",
        "cluster: " + name,
        "listen: " + servers.get(server),
        "members: [" + String.join(", ", servers) + "]",
        "services:",
        services.entrySet().stream()
            .map(service ->
                "  - name: " + service.getKey() + "\n    class: " + service.getValue().getName())
            .map(service -> by == DemoOrder.TIME ? service : service + LINEARIZABLE)
            .collect(Collectors.joining("\n")),
        "");
  }

  private Path file(int server, String kind) {
    return folder.resolve("server-" + (server + 1) + "." + kind);
  }

  private String lastLine(int server) {
    try (Stream<String> lines = Files.lines(file(server, "log"))) {
      return lines.reduce((first, second) -> second).map(line -> ": " + line).orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      System.err.println("tempest: cannot delete; " + path + "; delete it by hand");
    }
  }

  private static boolean areFree(List<Integer> ports) {
    for (int port : ports) {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      try (ServerSocket stream = new ServerSocket();
          DatagramSocket datagrams = new DatagramSocket(null)) {
        stream.bind(address);
        datagrams.bind(address);
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }
}

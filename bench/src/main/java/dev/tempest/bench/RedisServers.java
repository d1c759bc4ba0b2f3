package dev.tempest.bench;

import dev.tempest.runtime.FreePorts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Redis, of this machine, and copies that follow it, all in memory only. */
final class RedisServers {
  private static final String REDIS = "redis-server";

  /** Ends Redis once the parent is gone, as all children end. */
  private static final String SCRIPT = REDIS + " \"$@\" >&2 & echo ready; read -r gone; kill $!";

  private RedisServers() {}

  /** Whether this machine has Redis. */
  static boolean areThere() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(path)
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, REDIS)));
  }

  /**
   * Starts them.
   *
   * @param folder for what they insist to write
   * @return the port of the one that takes writes
   */
  static int start(Processes processes, int copies, Path folder)
      throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.find(1 + copies);
    for (int port : ports) {
      List<String> command = new ArrayList<>(List.of("sh", "-c", SCRIPT, REDIS));
      command.addAll(List.of("--bind", "127.0.0.1", "--port", String.valueOf(port)));
      command.addAll(List.of("--appendonly", "no", "--repl-diskless-sync-delay", "0"));
      command.addAll(List.of("--dbfilename", "redis-" + port + ".rdb"));
      command.addAll(List.of("--save", "", "--dir", folder.toString()));
      if (port != ports.getFirst()) {
        command.addAll(List.of("--replicaof", "127.0.0.1 " + ports.getFirst()));
      }
      processes.start(REDIS, command);
    }
    return ports.getFirst();
  }
}

package dev.tempest.server;

import dev.tempest.config.ConfigException;
import dev.tempest.config.ConfigFile;
import dev.tempest.runtime.ServerConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the configuration file of a server says, checked. Immutable.
 *
 * @param node how the server runs
 * @param services what it hosts, at least one, each with a name of its own
 */
public record ServerFile(ServerConfig node, List<HostedService> services) {
  /** More would make every request a flood; a cluster of this kind has a handful. */
  static final int SERVERS_MAX = 64;

  static final int SERVICES_MAX = 256;

  /** Copies the list. */
  public ServerFile {
    services = List.copyOf(services);
  }

  /**
   * Reads a configuration file. A value may be overridden by the environment ({@code
   * TEMPEST_LISTEN} for {@code listen}), and that by an option.
   *
   * @param environment as in {@link System#getenv()}
   * @param options values by key, such as {@code listen}
   * @throws ConfigException if there is no such file, or something in it cannot work
   */
  public static ServerFile read(
      Path file, Map<String, String> environment, Map<String, String> options) {
    Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of(""));
    return parse(
        ConfigFile.read(file, "name the file with --config FILE"), folder, environment, options);
  }

  static ServerFile parse(
      ConfigFile file, Path folder, Map<String, String> environment, Map<String, String> options) {
    return new ServerFileReader(folder, environment, options).read(file);
  }
}

package dev.tempest.server;

import dev.tempest.config.ConfigException;
import dev.tempest.runtime.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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

  private static final long FILE_MAX_BYTES = 1 << 20;

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
    String name = file.toString();
    try {
      if (Files.size(file) > FILE_MAX_BYTES) {
        throw new ConfigException(
            "the configuration file is larger than " + FILE_MAX_BYTES + " bytes",
            name,
            "name the right file with --config");
      }
      Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of(""));
      return parse(name, folder, Files.readString(file), environment, options);
    } catch (NoSuchFileException e) {
      throw new ConfigException(
          "there is no such configuration file", name, "name the file with --config FILE");
    } catch (IOException e) {
      throw new ConfigException(
          "the configuration file cannot be read (" + e + ")", name, "check the file");
    }
  }

  static ServerFile parse(
      String name,
      Path folder,
      String yaml,
      Map<String, String> environment,
      Map<String, String> options) {
    return new ServerFileReader(folder, environment, options).read(name, yaml);
  }
}

package dev.tempest.server;

import dev.tempest.FrontEndConfig;
import dev.tempest.config.ConfigException;
import dev.tempest.config.ConfigFile;
import dev.tempest.config.ConfigText;
import dev.tempest.config.DurationText;
import dev.tempest.config.HostPort;
import dev.tempest.config.KnownKeys;
import dev.tempest.config.YamlMapping;
import dev.tempest.runtime.ServerConfig;
import dev.tempest.runtime.ServiceOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Makes a checked configuration of a file, the environment and options. */
final class ServerFileReader {
  private static final String LISTEN_DEFAULT = "127.0.0.1:7400";
  private static final KnownKeys SERVICE_KEYS =
      KnownKeys.of(List.of("name", "class", "jar", "unchecked", "reconcile", "execute"));
  private static final KnownKeys FAULT_KEYS = KnownKeys.of(List.of("drop-percent"));

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,63}");
  private static final Pattern CLASS = Pattern.compile("[A-Za-z_$][\\w$]*(\\.[A-Za-z_$][\\w$]*)*");
  private static final Duration GOSSIP_MIN = Duration.ofMillis(10);
  private static final Duration GOSSIP_DEFAULT = Duration.ofMillis(100);
  private static final Duration GOSSIP_MAX = Duration.ofSeconds(60);

  private final Path folder;
  private final Map<String, String> environment;
  private final Map<String, String> options;

  /**
   * @param folder that relative paths start from
   */
  ServerFileReader(Path folder, Map<String, String> environment, Map<String, String> options) {
    this.folder = folder;
    this.environment = environment;
    this.options = options;
  }

  ServerFile read(ConfigFile file) {
    YamlMapping root = YamlMapping.parse(file, KnownKeys.SERVER);
    HostPort listen = listen(root);
    Optional<YamlMapping> faults = root.mapping("faults", FAULT_KEYS);
    Optional<ConfigText> drop =
        override("drop-percent").or(() -> faults.flatMap(mapping -> mapping.text("drop-percent")));
    ServerConfig node =
        ServerConfig.of(listen.toString(), servers(root, listen))
            .withBindHost(listen.host())
            .withCluster(
                find("cluster", root)
                    .map(text -> name("cluster", text))
                    .orElse(FrontEndConfig.DEFAULT_CLUSTER))
            .withMulticastPort(
                find("multicast", root)
                    .map(ServerFileReader::multicastPort)
                    .orElse(FrontEndConfig.DEFAULT_MULTICAST_PORT))
            .withGossipInterval(
                find("gossip-interval", root)
                    .map(ServerFileReader::gossipInterval)
                    .orElse(GOSSIP_DEFAULT))
            .withDropPercent(drop.map(ServerFileReader::dropPercent).orElse(0.0));
    List<HostedService> services = services(root);
    for (HostedService service : services) {
      node = node.withService(service.name(), service.options());
    }
    return new ServerFile(node, services);
  }

  private Optional<ConfigText> find(String key, YamlMapping root) {
    return override(key).or(() -> root.text(key));
  }

  private Optional<ConfigText> override(String key) {
    String option = options.get(key);
    if (option != null) {
      return Optional.of(new ConfigText(option, "option --" + key));
    }
    String variable = "TEMPEST_" + key.replace('-', '_').toUpperCase(Locale.ROOT);
    return Optional.ofNullable(environment.get(variable))
        .map(value -> new ConfigText(value, "environment variable " + variable));
  }

  private HostPort listen(YamlMapping root) {
    ConfigText text =
        find("listen", root).orElse(new ConfigText(LISTEN_DEFAULT, "the default of listen"));
    HostPort listen =
        text.parse("write listen: host:port, such as 127.0.0.1:7400", HostPort::parse);
    if (listen.host().equals("0.0.0.0") || listen.host().equals("::")) {
      throw new ConfigException(
          "a server cannot listen on " + listen + ", because the others send to this address",
          text.where(),
          "write the address of this machine that the other servers reach");
    }
    return listen;
  }

  private List<String> servers(YamlMapping root, HostPort listen) {
    List<ConfigText> texts =
        override("servers")
            .map(ConfigText::split)
            .or(() -> root.texts("servers"))
            .orElse(List.of(new ConfigText(listen.toString(), root.where())));
    String where = texts.isEmpty() ? root.where() : texts.getFirst().where();
    Set<HostPort> servers = new LinkedHashSet<>();
    for (ConfigText text : texts) {
      if (!servers.add(text.parse("write host:port, such as 127.0.0.1:7401", HostPort::parse))) {
        throw new ConfigException(
            "the server " + text.value() + " is there twice", text.where(), "keep one of them");
      }
    }
    if (servers.size() > ServerFile.SERVERS_MAX) {
      throw new ConfigException(
          servers.size() + " servers", where, "name at most " + ServerFile.SERVERS_MAX);
    }
    if (!servers.contains(listen)) {
      throw new ConfigException(
          "this server, " + listen + ", is not among the servers",
          where,
          "add it to servers, or listen on one of them");
    }
    return servers.stream().map(HostPort::toString).toList();
  }

  private static int multicastPort(ConfigText text) {
    return text.value().equals("off")
        ? 0
        : text.parse(
            "write multicast: off, or a port from 1 to 65535",
            value -> HostPort.checkPort(Integer.parseInt(value)));
  }

  private static Duration gossipInterval(ConfigText text) {
    String remedy = "write gossip-interval: 100ms, from 10ms to 60s";
    Duration interval = text.parse(remedy, DurationText::parse);
    if (interval.compareTo(GOSSIP_MIN) < 0 || interval.compareTo(GOSSIP_MAX) > 0) {
      throw new ConfigException(
          "a gossip interval of " + text.value() + " cannot work", text.where(), remedy);
    }
    return interval;
  }

  private static double dropPercent(ConfigText text) {
    String remedy = "write drop-percent: a number from 0 to 100";
    double percent = text.parse(remedy, Double::parseDouble);
    if (!(percent >= 0 && percent <= 100)) {
      throw new ConfigException(text.value() + " percent cannot be dropped", text.where(), remedy);
    }
    return percent;
  }

  private List<HostedService> services(YamlMapping root) {
    var services = new ArrayList<HostedService>();
    var names = new LinkedHashSet<String>();
    List<YamlMapping> mappings = root.mappingList("services", SERVICE_KEYS);
    if (mappings.isEmpty() || mappings.size() > ServerFile.SERVICES_MAX) {
      throw new ConfigException(
          "the server hosts " + mappings.size() + " services",
          root.where(),
          "list from 1 to " + ServerFile.SERVICES_MAX + " under services:");
    }
    for (YamlMapping mapping : mappings) {
      HostedService service = service(mapping);
      if (!names.add(service.name())) {
        throw new ConfigException(
            "the service '" + service.name() + "' is there twice",
            mapping.where(),
            "give each service a name of its own");
      }
      services.add(service);
    }
    return services;
  }

  private HostedService service(YamlMapping mapping) {
    String name = name("name", required("name", mapping));
    ConfigText className = required("class", mapping);
    if (!CLASS.matcher(className.value()).matches()) {
      throw new ConfigException(
          "'" + className.value() + "' is not the name of a class",
          className.where(),
          "write it with its package, such as com.example.CartService");
    }
    return new HostedService(
        name,
        className.value(),
        mapping.text("jar").map(this::jar),
        mapping.texts("unchecked").orElse(List.of()).stream()
            .map(ServerFileReader::unchecked)
            .toList(),
        new ServiceOptions(
            mapping.text("reconcile").map(ServerFileReader::adopts).orElse(false),
            mapping.text("execute").map(ServerFileReader::executesAny).orElse(false)),
        className.where());
  }

  private static boolean executesAny(ConfigText text) {
    return switch (text.value()) {
      case "all" -> false;
      case "any" -> true;
      default ->
          throw new ConfigException(
              "'" + text.value() + "' does not say who executes",
              text.where(),
              "write execute: all, or any if one server is to, and the others apply what it wrote");
    };
  }

  private static boolean adopts(ConfigText text) {
    return switch (text.value()) {
      case "merge" -> false;
      case "adopt" -> true;
      default ->
          throw new ConfigException(
              "'" + text.value() + "' is no way to reconcile",
              text.where(),
              "write reconcile: merge, which keeps every update, or reconcile: adopt");
    };
  }

  private static String unchecked(ConfigText text) {
    if (!CLASS.matcher(text.value()).matches()) {
      throw new ConfigException(
          "'" + text.value() + "' is the name of neither a class nor a package",
          text.where(),
          "write such as unchecked: [com.example.Metrics, org.slf4j]");
    }
    return text.value();
  }

  private Path jar(ConfigText text) {
    Path jar = text.parse("write the path of a jar file", folder::resolve).normalize();
    if (!Files.isRegularFile(jar)) {
      throw new ConfigException(
          "there is no jar " + jar,
          text.where(),
          "write a path relative to the folder of the configuration file");
    }
    return jar;
  }

  private static ConfigText required(String key, YamlMapping mapping) {
    return mapping
        .text(key)
        .orElseThrow(() ->
            new ConfigException(
                "a service without " + key, mapping.where(), "add " + key + ": ..."));
  }

  private static String name(String key, ConfigText text) {
    if (!NAME.matcher(text.value()).matches()) {
      throw new ConfigException(
          "'" + text.value() + "' cannot be the " + key + " of anything",
          text.where(),
          "write a letter, then up to 63 letters, digits, dots, dashes or underscores");
    }
    return text.value();
  }
}

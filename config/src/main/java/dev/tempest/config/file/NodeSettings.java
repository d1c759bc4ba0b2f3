package dev.tempest.config.file;

import dev.tempest.config.CollectionRule;
import dev.tempest.config.ConfigException;
import dev.tempest.config.HostPort;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The configuration of a node, and where each of its values came from. Immutable. */
public final class NodeSettings {
  /** The name of the file that a node reads if there is one. */
  public static final String FILE = "tempest.yaml";

  /** The environment variable that names another file. */
  public static final String FILE_VARIABLE = "TEMPEST_CONFIG";

  static final String OF_COMMAND_LINE = "option --";

  private static final NodeSettings DEFAULTS =
      new NodeSettings(NodeConfig.defaults(), null, Map.of(), Map.of(), Map.of());

  private final NodeConfig config;
  private final @Nullable String file;
  private final Map<Key, ConfigText> node;
  private final Map<String, Rule> rules;
  private final Map<String, Map<Key, ConfigText>> services;

  /**
   * What was written of the collections that fit a pattern.
   *
   * @param where the pattern stands
   */
  record Rule(String where, Map<Key, ConfigText> texts) {}

  NodeSettings(
      NodeConfig config,
      @Nullable String file,
      Map<Key, ConfigText> node,
      Map<String, Rule> rules,
      Map<String, Map<Key, ConfigText>> services) {
    this.config = config;
    this.file = file;
    this.node = Map.copyOf(node);
    this.rules = Map.copyOf(rules);
    this.services = Map.copyOf(services);
  }

  /**
   * What applies to a node that this process starts: the file named by {@link #FILE_VARIABLE}, else
   * {@link #FILE} of the working directory, else {@link #FILE} of the class path, else the
   * defaults; and over that the {@code TEMPEST_} variables of the environment.
   *
   * @throws ConfigException if something is written that cannot work; it names all of it
   */
  public static NodeSettings load() {
    return load(null, Map.of());
  }

  /**
   * The same with a file that is named, if it is, and over the environment with options of a
   * command line.
   *
   * @param options values by key, such as {@code listen}
   * @throws ConfigException if something is written that cannot work; it names all of it
   */
  public static NodeSettings load(@Nullable Path file, Map<String, String> options) {
    return read(find(file), System.getenv(), options, OF_COMMAND_LINE);
  }

  /**
   * The same with options that come from elsewhere, and have what the environment says: that is not
   * asked again, but for the file.
   *
   * @param whatOptionsAre what errors call them, before their key
   * @throws ConfigException if something is written that cannot work; it names all of it
   */
  public static NodeSettings load(
      @Nullable Path file, Map<String, String> options, String whatOptionsAre) {
    return read(find(file), Map.of(), options, whatOptionsAre);
  }

  /** The keys that may be options: all of a node but those of collections and services. */
  public static List<String> optionKeys() {
    return Key.words(Key.ofNode().stream().filter(Key::hasVariable).toList());
  }

  /** Those of them whose value is a list of texts. */
  public static List<String> listKeys() {
    return Key.words(Key.ofNode().stream().filter(Key::isList).toList());
  }

  /**
   * The name of the cluster alone, found as by {@link #load(Path, Map)}.
   *
   * @throws ConfigException if it cannot be read, or cannot work
   */
  public static String loadCluster(@Nullable Path file) {
    return new NodeReader(System.getenv(), Map.of()).cluster(find(file));
  }

  /** What applies for any working directory, class path and environment. */
  static NodeSettings load(Path folder, ClassLoader loader, Map<String, String> environment) {
    return read(find(folder, loader, environment), environment, Map.of(), OF_COMMAND_LINE);
  }

  private static NodeSettings read(
      @Nullable ConfigFile file,
      Map<String, String> environment,
      Map<String, String> options,
      String whatOptionsAre) {
    // The common case, in which no class is loaded that reads: a node is to start quickly.
    return file == null && options.isEmpty() && !isMentioned(environment)
        ? DEFAULTS
        : new NodeReader(environment, options, whatOptionsAre).read(file);
  }

  /**
   * What a file says by itself.
   *
   * @throws ConfigException if there is no such file, or something is written that cannot work; it
   *     names all of it
   */
  public static NodeSettings read(Path file) {
    return read(ConfigFile.read(file, "check the path"), Map.of(), Map.of(), OF_COMMAND_LINE);
  }

  /**
   * The JSON Schema of the file, for editors: keys, types, defaults and descriptions. What it
   * accepts may still be refused for reasons that a schema cannot say.
   */
  public static String schema() {
    String name = "tempest.schema.json";
    try (InputStream bytes = NodeSettings.class.getResourceAsStream(name)) {
      if (bytes == null) {
        throw new IllegalStateException(name + " is missing in the jar of tempest-config");
      }
      return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be read", e);
    }
  }

  private static @Nullable ConfigFile find(@Nullable Path file) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return file == null
        ? find(
            Path.of(""),
            loader == null ? ClassLoader.getSystemClassLoader() : loader,
            System.getenv())
        : ConfigFile.read(file, "check the path");
  }

  private static @Nullable ConfigFile find(
      Path folder, ClassLoader loader, Map<String, String> environment) {
    String named = environment.getOrDefault(FILE_VARIABLE, "");
    if (!named.isEmpty()) {
      return ConfigFile.read(folder.resolve(named), "correct " + FILE_VARIABLE + ", or unset it");
    }
    Path file = folder.resolve(FILE);
    if (Files.exists(file)) {
      return ConfigFile.read(file, "check the file");
    }
    URL resource = loader.getResource(FILE);
    return resource == null ? null : ConfigFile.read(resource);
  }

  private static boolean isMentioned(Map<String, String> environment) {
    for (String variable : environment.keySet()) {
      if (variable.startsWith("TEMPEST_")) {
        return true;
      }
    }
    return false;
  }

  /** The configuration. */
  public NodeConfig config() {
    return config;
  }

  /** Where a server answers over HTTP; empty if it does not. */
  public Optional<HostPort> http() {
    return ofServer(Key.HTTP).map(HostPort::parse);
  }

  /** The URL at which callers over HTTP reach the server; empty if that is not said. */
  public Optional<String> httpAdvertise() {
    return ofServer(Key.HTTP_ADVERTISE);
  }

  private Optional<String> ofServer(Key key) {
    return Optional.ofNullable(node.get(key))
        .map(ConfigText::value)
        .filter(value -> !value.equals(Key.NONE));
  }

  /** The path or URL of the file that was read, if there was one. */
  public Optional<String> file() {
    return Optional.ofNullable(file);
  }

  /** The values that apply to the node itself, a setting for every key. */
  public List<Setting> node() {
    return Key.ofNode().stream().map(key -> Setting.of(key, node.get(key))).toList();
  }

  /**
   * The values that apply to a collection: first the pattern whose rule it is, {@code none} if no
   * pattern fits, then a setting for every key.
   */
  public List<Setting> collection(String name) {
    Optional<CollectionRule> rule = config.rule(name);
    String pattern = rule.map(CollectionRule::pattern).orElse(Key.NONE);
    Rule written =
        rules.getOrDefault(pattern, new Rule("no pattern and no service fits", Map.of()));
    List<Setting> settings = new ArrayList<>();
    settings.add(new Setting("pattern", pattern, written.where()));
    for (Key key : Key.ofCollection()) {
      ConfigText text = written.texts().get(key);
      boolean ofNode =
          key == Key.COLLECTION_ACKS
              && (text == null || text.value().equals(Key.NONE))
              && !config.collection(name).isLinearizable();
      settings.add(ofNode ? Setting.of(Key.ACKS, node.get(Key.ACKS)) : Setting.of(key, text));
    }
    return List.copyOf(settings);
  }

  /** The service of that name that the file says is hosted, if it says so. */
  public Optional<ServiceConfig> hosted(String name) {
    return config.services().stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /** The values that apply to a service, a setting for every key. */
  public List<Setting> service(ServiceConfig service) {
    Map<Key, ConfigText> written = services.getOrDefault(service.name(), Map.of());
    return Key.ofService().stream().map(key -> setting(key, written, service.options())).toList();
  }

  /** Some defaults depend on the consistency. */
  private static Setting setting(Key key, Map<Key, ConfigText> written, ServiceOptions options) {
    ConfigText text = written.get(key);
    if (text != null) {
      return Setting.of(key, text);
    }
    return switch (key) {
      case EXECUTE -> byDefault(key, options.execute());
      case SERVICE_READS -> byDefault(key, options.reads());
      default -> Setting.of(key, null);
    };
  }

  private static Setting byDefault(Key key, Enum<?> choice) {
    return new Setting(key.word(), ConfigText.word(choice), Setting.DEFAULT);
  }
}

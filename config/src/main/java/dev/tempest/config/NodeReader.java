package dev.tempest.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes checked settings of a file and the environment. Used once. */
final class NodeReader {
  /** The entries of a largest collection, as people write them. */
  static final String SIZE_FORM = "[0-9]{1,9}[kM]?";

  private static final Pattern SIZE = Pattern.compile(SIZE_FORM);
  private static final KnownKeys COLLECTION_KEYS = KnownKeys.of(Key.words(Key.ofCollection()));

  private final Map<String, String> environment;
  private final List<ConfigException> problems = new ArrayList<>();
  private final Map<Key, ConfigText> node = new EnumMap<>(Key.class);
  private final Map<String, NodeSettings.Rule> rules = new LinkedHashMap<>();

  /**
   * @param environment as in {@link System#getenv()}
   */
  NodeReader(Map<String, String> environment) {
    this.environment = environment;
  }

  NodeSettings read(@Nullable ConfigFile file) {
    refuseMisspeltVariables();
    YamlMapping root = null;
    if (file != null) {
      try {
        root = YamlMapping.parse(file, KnownKeys.NODE, problems::add);
      } catch (ConfigException e) {
        problems.add(e);
      }
    }
    NodeConfig config = node(root);
    if (root != null) {
      config = collections(root, config);
    }
    if (!problems.isEmpty()) {
      throw ConfigException.of(problems);
    }
    return new NodeSettings(config, file == null ? null : file.name(), node, rules);
  }

  /** Others may have variables that begin alike, so only what is nearly one of ours is refused. */
  private void refuseMisspeltVariables() {
    List<String> known = new ArrayList<>(List.of(NodeSettings.FILE_VARIABLE));
    Key.ofNode().stream().filter(Key::hasVariable).map(Key::variable).forEach(known::add);
    for (String variable : environment.keySet()) {
      if (variable.startsWith("TEMPEST_") && !known.contains(variable)) {
        Spelling.slip(variable, known)
            .ifPresent(meant ->
                problems.add(
                    new ConfigException(
                        "unknown variable " + variable,
                        "environment",
                        "did you mean " + meant + "?")));
      }
    }
  }

  private NodeConfig node(@Nullable YamlMapping root) {
    NodeConfig config = NodeConfig.defaults();
    config = with(config, root, Key.CLUSTER, NodeConfig::withCluster);
    config = with(config, root, Key.NAME, (c, name) -> c.withName(isNone(name) ? "" : name));
    config = with(config, root, Key.BIND, NodeConfig::withBind);
    config = with(config, root, Key.PORT, (c, ports) -> c.withPorts(PortRange.parse(ports)));
    config =
        with(
            config,
            root,
            Key.MULTICAST,
            (c, port) -> c.withDiscovery(c.discovery().withMulticastPort(multicastPort(port))));
    config =
        with(
            config,
            root,
            Key.LOOPBACK,
            (c, word) -> c.withDiscovery(c.discovery().withLoopback(isOn(word))));
    config = seeds(config, root);
    config = with(config, root, Key.DNS, NodeReader::withDns);
    return with(
        config, root, Key.EXPEL_AFTER, (c, time) -> c.withExpelAfter(DurationText.parse(time)));
  }

  private NodeConfig with(
      NodeConfig config,
      @Nullable YamlMapping root,
      Key key,
      BiFunction<NodeConfig, String, NodeConfig> change) {
    return attempt(
        config,
        () -> {
          Optional<ConfigText> text = find(key, root);
          text.ifPresent(found -> node.put(key, found));
          return text.map(found -> found.parse(key.remedy(), value -> change.apply(config, value)))
              .orElse(config);
        });
  }

  private Optional<ConfigText> find(Key key, @Nullable YamlMapping root) {
    Optional<ConfigText> variable = variable(key);
    return variable.isPresent() || root == null ? variable : root.text(key.word());
  }

  private Optional<ConfigText> variable(Key key) {
    String value = environment.getOrDefault(key.variable(), "");
    // Kubernetes gives every container TEMPEST_PORT=tcp://... where a service is named tempest.
    boolean isForeign = key == Key.PORT && value.contains("://");
    return value.isEmpty() || isForeign
        ? Optional.empty()
        : Optional.of(new ConfigText(value, "environment variable " + key.variable()));
  }

  private NodeConfig seeds(NodeConfig config, @Nullable YamlMapping root) {
    return attempt(
        config,
        () -> {
          Optional<List<ConfigText>> texts = variable(Key.SEEDS).map(NodeReader::split);
          if (texts.isEmpty() && root != null) {
            texts = root.texts(Key.SEEDS.word());
          }
          return texts.map(written -> withSeeds(config, written)).orElse(config);
        });
  }

  private static List<ConfigText> split(ConfigText text) {
    return isNone(text.value()) ? List.of() : text.split();
  }

  private NodeConfig withSeeds(NodeConfig config, List<ConfigText> texts) {
    if (texts.isEmpty()) {
      return config;
    }
    ConfigText all =
        new ConfigText(
            String.join(", ", texts.stream().map(ConfigText::value).toList()),
            texts.getFirst().where());
    node.put(Key.SEEDS, all);
    List<HostPort> seeds = new ArrayList<>();
    for (ConfigText text : texts) {
      seeds.add(text.parse(Key.SEEDS.remedy(), value -> seed(value, config)));
    }
    return all.parse(
        Key.SEEDS.remedy(), value -> config.withDiscovery(config.discovery().withSeeds(seeds)));
  }

  private static HostPort seed(String text, NodeConfig config) {
    HostPort seed = HostPort.parse(text, firstPort(config));
    PrivateAddresses.check("look for others at", seed.host());
    return seed;
  }

  private NodeConfig collections(YamlMapping root, NodeConfig node) {
    NodeConfig config = node;
    for (var entry : root.mappings(Key.COLLECTIONS.word(), COLLECTION_KEYS).entrySet()) {
      config = collection(entry.getKey(), entry.getValue(), config);
    }
    return config;
  }

  private NodeConfig collection(ConfigText pattern, YamlMapping mapping, NodeConfig node) {
    Map<Key, ConfigText> texts = new EnumMap<>(Key.class);
    CollectionConfig config = CollectionConfig.DEFAULT;
    for (Key key : Key.ofCollection()) {
      CollectionConfig before = config;
      config =
          attempt(
              before,
              () -> {
                Optional<ConfigText> text = mapping.text(key.word());
                text.ifPresent(found -> texts.put(key, found));
                return text.map(
                        found -> found.parse(key.remedy(), value -> with(before, key, found)))
                    .orElse(before);
              });
    }
    rules.put(pattern.value(), new NodeSettings.Rule(pattern.where(), texts));
    CollectionConfig whole = config;
    return attempt(
        node,
        () ->
            pattern.parse(
                "write a name, such as carts, or the beginning of names and a star",
                value -> node.withCollection(value, whole)));
  }

  private static CollectionConfig with(CollectionConfig config, Key key, ConfigText text) {
    return switch (key) {
      case PRESET -> config.withPreset(preset(text));
      case TIME_TO_LIVE -> config.withTimeToLive(lifetime(text.value()));
      case IDLE -> config.withIdle(lifetime(text.value()));
      case MAX_SIZE -> config.withMaxSize(size(text.value()));
      default -> throw new IllegalStateException(key + " is no key of a collection");
    };
  }

  private static Preset preset(ConfigText text) {
    for (Preset preset : Preset.values()) {
      if (preset.word().equals(text.value())) {
        return preset;
      }
    }
    throw new ConfigException(
        "unknown preset '" + text.value() + "'",
        text.where(),
        Spelling.advice(text.value(), Arrays.stream(Preset.values()).map(Preset::word).toList()));
  }

  private static Duration lifetime(String text) {
    if (isNone(text)) {
      return Duration.ZERO;
    }
    Duration lifetime = DurationText.parse(text);
    if (lifetime.isZero()) {
      throw new IllegalArgumentException("an entry does not live for " + text);
    }
    return lifetime;
  }

  private static int size(String text) {
    if (isNone(text)) {
      return 0;
    }
    if (!SIZE.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a number of entries");
    }
    long unit = text.endsWith("k") ? 1_000 : text.endsWith("M") ? 1_000_000 : 1;
    long size = Long.parseLong(unit == 1 ? text : text.substring(0, text.length() - 1)) * unit;
    if (size < 1 || size > CollectionConfig.SIZE_MAX) {
      throw new IllegalArgumentException(
          "a collection does not have at most " + text + " entries, but 1 to 1000M");
    }
    return (int) size;
  }

  private static int multicastPort(String text) {
    return text.equals("off") ? 0 : HostPort.checkPort(Integer.parseInt(text));
  }

  private static boolean isOn(String text) {
    return switch (text) {
      case "on" -> true;
      case "off" -> false;
      default -> throw new IllegalArgumentException("'" + text + "' is neither on nor off");
    };
  }

  private static NodeConfig withDns(NodeConfig config, String text) {
    return isNone(text)
        ? config
        : config.withDiscovery(config.discovery().withDns(HostPort.parse(text, firstPort(config))));
  }

  private static int firstPort(NodeConfig config) {
    return config.ports().first();
  }

  private static boolean isNone(String text) {
    return text.equals(Key.NONE);
  }

  /** What was made, or what there was before if it could not be made. */
  private <T> T attempt(T before, Supplier<T> making) {
    try {
      return making.get();
    } catch (ConfigException e) {
      problems.add(e);
      return before;
    }
  }
}

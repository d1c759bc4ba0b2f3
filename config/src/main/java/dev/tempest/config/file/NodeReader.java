package dev.tempest.config.file;

import dev.tempest.config.CheckpointConfig;
import dev.tempest.config.CollectionRule;
import dev.tempest.config.ConfigException;
import dev.tempest.config.HostPort;
import dev.tempest.config.HttpUrl;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions.Reads;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes checked settings of a file, the environment and options. Used once. */
final class NodeReader {
  private final Map<String, String> environment;
  private final Map<String, String> options;
  private final String whatOptionsAre;
  private final Problems problems = new Problems();
  private final NodeConfig.Builder config = NodeConfig.builder();
  private final Map<Key, ConfigText> written = new EnumMap<>(Key.class);

  /** The values of keys that were accepted, one by one. */
  private final Map<Key, List<ConfigText>> accepted = new EnumMap<>(Key.class);

  /** With options of a command line. */
  NodeReader(Map<String, String> environment, Map<String, String> options) {
    this(environment, options, NodeSettings.OF_COMMAND_LINE);
  }

  /**
   * What is read goes before the file.
   *
   * @param environment as in {@link System#getenv()}
   * @param options values by key, which go before the environment
   * @param whatOptionsAre what errors call them, before their key
   */
  NodeReader(Map<String, String> environment, Map<String, String> options, String whatOptionsAre) {
    this.environment = environment;
    this.options = options;
    this.whatOptionsAre = whatOptionsAre;
  }

  NodeSettings read(@Nullable ConfigFile file) {
    refuseMisspeltVariables();
    YamlMapping root = file == null ? null : parse(file);
    for (Key key : Key.ofNode()) {
      if (key.hasVariable()) {
        problems.attempt(() -> read(key, root));
      }
    }
    checkTogether();
    var collections = new CollectionReader(config, problems);
    var services = new ServiceReader(config, problems);
    if (file != null && root != null) {
      problems.attempt(() -> collections.read(root));
      problems.attempt(() -> services.read(root, file.folder()));
    }
    problems.throwIfAny();
    if (accepted(Key.MEMBERS).isEmpty()) {
      collections.refuseWithoutMembers();
    }
    problems.throwIfAny();
    NodeConfig whole = config.build();
    if (root != null) {
      name(Key.COLLECTIONS, whole.collections().stream().map(CollectionRule::pattern), root);
      name(Key.SERVICES, whole.services().stream().map(ServiceConfig::name), root);
    }
    return new NodeSettings(
        whole, file == null ? null : file.name(), written, collections.rules(), services.written());
  }

  /** Only the name of the cluster, whatever is wrong with the rest. */
  String cluster(@Nullable ConfigFile file) {
    List<String> known = Key.words(Key.ofNode());
    read(Key.CLUSTER, file == null ? null : YamlMapping.parse(file, known, ofTheRest -> {}));
    return config.build().cluster();
  }

  private @Nullable YamlMapping parse(ConfigFile file) {
    return problems
        .find(() -> YamlMapping.parse(file, Key.words(Key.ofNode()), problems::add))
        .orElse(null);
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
                        "environment",
                        "unknown variable " + variable,
                        "did you mean " + meant + "?")));
      }
    }
  }

  private void read(Key key, @Nullable YamlMapping root) {
    List<ConfigText> texts = find(key, root);
    if (texts.isEmpty()) {
      return;
    }
    ConfigText all = ConfigText.joined(texts);
    written.put(key, all);
    List<ConfigText> usable =
        key.isList() ? texts.stream().filter(text -> isItem(key, text)).toList() : texts;
    all.parse(key.remedy(), value -> set(config, key, usable));
    accepted.put(key, usable);
  }

  /** Whether a text can be an item of a list; what is wrong with it is a problem. */
  private boolean isItem(Key key, ConfigText text) {
    return problems
        .find(() -> text.parse(key.remedy(), item -> set(NodeConfig.builder(), key, List.of(text))))
        .isPresent();
  }

  private List<ConfigText> find(Key key, @Nullable YamlMapping root) {
    String option = options.get(key.word());
    String variable = environment.getOrDefault(key.variable(), "");
    if (option != null) {
      return split(key, new ConfigText(option, Place.of(whatOptionsAre + key.word())));
    }
    if (!variable.isEmpty()) {
      return split(
          key, new ConfigText(variable, Place.of("environment variable " + key.variable())));
    }
    if (root == null) {
      return List.of();
    }
    return key.isList() ? root.texts(key) : root.text(key).stream().toList();
  }

  private static List<ConfigText> split(Key key, ConfigText text) {
    if (!key.isList()) {
      return List.of(text);
    }
    return text.value().equals(Key.NONE) ? List.of() : text.split();
  }

  private static NodeConfig.Builder set(
      NodeConfig.Builder config, Key key, List<ConfigText> texts) {
    String[] values = texts.stream().map(ConfigText::value).toArray(String[]::new);
    String value = String.join(", ", values); // Only lists have several.
    return switch (key) {
      case CLUSTER -> config.cluster(value);
      case NAME -> config.name(orEmpty(value));
      case LISTEN -> config.listen(value);
      case ADVERTISE -> config.advertise(orEmpty(value));
      case ALLOW -> config.allow(values);
      case MULTICAST -> config.multicastPort(multicastPort(value));
      case LOOPBACK -> config.loopback(isOn(value));
      case SEEDS -> config.seeds(values);
      case DNS -> config.dns(orEmpty(value));
      case MEMBERS -> config.members(values);
      case EXPEL_AFTER -> config.expelAfter(DurationText.parse(value));
      case SHUTDOWN_HOOK -> config.shutdownHook(isOn(value));
      case CHECKPOINT_FOLDER -> config.checkpointFolder(orEmpty(value));
      case CHECKPOINT_EVERY -> config.checkpointEvery(DurationText.parse(value));
      case LOG -> config.log(log(value));
      case ACKS -> config.acks(Integer.parseInt(value));
      case DEADLINE -> config.deadline(DurationText.parse(value));
      case MAX_AHEAD -> config.maxAhead((int) Math.min(EntryCount.parse(value), Integer.MAX_VALUE));
      case READS -> config.reads(reads(value));
      case HTTP -> checkHttp(value, config);
      case HTTP_ADVERTISE -> checkHttpUrl(value, config);
      default -> throw new IllegalStateException(key + " is not a value of a node");
    };
  }

  /** It is for servers only: {@link NodeSettings#http}. */
  private static NodeConfig.Builder checkHttp(String value, NodeConfig.Builder config) {
    if (!value.equals(Key.NONE)) {
      HostPort.parse(value);
    }
    return config;
  }

  private static NodeConfig.Builder checkHttpUrl(String value, NodeConfig.Builder config) {
    if (!value.equals(Key.NONE)) {
      HttpUrl.check(value);
    }
    return config;
  }

  private static String orEmpty(String value) {
    return value.equals(Key.NONE) ? "" : value;
  }

  private static CheckpointConfig.Log log(String text) {
    return switch (text) {
      case "memory" -> CheckpointConfig.Log.MEMORY;
      case "disk" -> CheckpointConfig.Log.DISK;
      case "adaptive" -> CheckpointConfig.Log.ADAPTIVE;
      default ->
          throw new IllegalArgumentException("'" + text + "' is neither memory, disk nor adaptive");
    };
  }

  private static Reads reads(String text) {
    return switch (text) {
      case "linearizable" -> Reads.LINEARIZABLE;
      case "lease" -> Reads.LEASE;
      case "local" -> Reads.LOCAL;
      default ->
          throw new IllegalArgumentException(
              "'" + text + "' is neither linearizable, lease nor local");
    };
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

  private List<ConfigText> accepted(Key key) {
    return accepted.getOrDefault(key, List.of());
  }

  /** What one value says may be impossible for what another one says. */
  private void checkTogether() {
    for (Key key : List.of(Key.LISTEN, Key.ADVERTISE, Key.SEEDS, Key.DNS, Key.MEMBERS)) {
      for (ConfigText text : accepted(key)) {
        problems.attempt(() ->
            text.parse(
                Key.ALLOW.remedy() + ", if only your machines reach it",
                value -> set(allowing(), key, List.of(text)).build()));
      }
    }
    for (ConfigText members : accepted(Key.MEMBERS).stream().limit(1).toList()) {
      problems.attempt(() ->
          members.parse("remove seeds and dns, or members", value -> listedAndSearching().build()));
    }
    boolean isFolderRefused = written.containsKey(Key.CHECKPOINT_FOLDER) && !isFolderAccepted();
    for (ConfigText log : isFolderRefused ? List.<ConfigText>of() : accepted(Key.LOG)) {
      problems.attempt(() ->
          log.parse(
              Key.CHECKPOINT_FOLDER.remedy() + ", or log: memory", value -> storing().build()));
    }
  }

  /** A node that is told nothing but which networks are allowed. */
  private NodeConfig.Builder allowing() {
    return set(NodeConfig.builder(), Key.ALLOW, accepted(Key.ALLOW));
  }

  /** A node that is told nothing but that members are listed, and where others may be. */
  private NodeConfig.Builder listedAndSearching() {
    NodeConfig.Builder listed = NodeConfig.builder().members("localhost");
    set(listed, Key.SEEDS, accepted(Key.SEEDS));
    return set(listed, Key.DNS, accepted(Key.DNS));
  }

  private boolean isFolderAccepted() {
    return accepted.containsKey(Key.CHECKPOINT_FOLDER);
  }

  /** A node that is told nothing but where its log and its checkpoints are. */
  private NodeConfig.Builder storing() {
    NodeConfig.Builder storing = set(NodeConfig.builder(), Key.LOG, accepted(Key.LOG));
    return set(storing, Key.CHECKPOINT_FOLDER, accepted(Key.CHECKPOINT_FOLDER));
  }

  /** What is listed under a key, by its names. */
  private void name(Key key, Stream<String> names, YamlMapping root) {
    String all = names.collect(Collectors.joining(", "));
    root.where(key.word())
        .filter(where -> !all.isEmpty())
        .ifPresent(where -> written.put(key, new ConfigText(all, where)));
  }
}

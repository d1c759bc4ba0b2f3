package dev.tempest.config.file;

import dev.tempest.config.CollectionConfig;
import dev.tempest.config.ConfigException;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.Preset;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads how collections are kept. Used once. */
final class CollectionReader {
  private final NodeConfig.Builder node;
  private final Problems problems;
  private final Map<String, NodeSettings.Rule> rules = new LinkedHashMap<>();
  private final Map<ConfigText, CollectionConfig> accepted = new LinkedHashMap<>();

  CollectionReader(NodeConfig.Builder node, Problems problems) {
    this.node = node;
    this.problems = problems;
  }

  /** What was written of each pattern. */
  Map<String, NodeSettings.Rule> rules() {
    return rules;
  }

  void read(YamlMapping root) {
    root.mappings(Key.COLLECTIONS.word(), Key.words(Key.ofCollection())).forEach(this::read);
  }

  /** What needs members is a problem, each where its pattern stands. */
  void refuseWithoutMembers() {
    accepted.forEach((pattern, config) ->
        problems.attempt(() ->
            pattern.parse(
                Key.MEMBERS.remedy(),
                value -> NodeConfig.builder().collection(value, config).build())));
  }

  private void read(ConfigText pattern, YamlMapping mapping) {
    Map<Key, ConfigText> texts = new EnumMap<>(Key.class);
    Map<Key, ConfigText> usable = new EnumMap<>(Key.class);
    CollectionConfig.Builder config = CollectionConfig.builder();
    for (Key key : Key.ofCollection()) {
      try {
        ConfigText text = mapping.text(key).orElse(null);
        if (text != null) {
          texts.put(key, text);
          text.parse(key.remedy(), value -> set(config, key, text));
          usable.put(key, text);
        }
      } catch (ConfigException e) {
        problems.add(e);
      }
    }
    rules.put(pattern.value(), new NodeSettings.Rule(pattern.where().toString(), texts));
    CollectionConfig built =
        contradicts(pattern, usable) ? CollectionConfig.defaults() : config.build();
    problems.attempt(() ->
        pattern.parse(
            "write a name, such as carts, or the beginning of names and a star",
            value -> node.collection(value, built)));
    accepted.put(pattern, built);
  }

  /** Whether its consistency leaves something no meaning; each of that is a problem. */
  private boolean contradicts(ConfigText pattern, Map<Key, ConfigText> usable) {
    boolean contradicts = false;
    ConfigText consistency = usable.get(Key.COLLECTION_CONSISTENCY);
    for (Map.Entry<Key, ConfigText> other : usable.entrySet()) {
      if (consistency != null) {
        CollectionConfig.Builder both = CollectionConfig.builder();
        set(both, Key.COLLECTION_CONSISTENCY, consistency);
        set(both, other.getKey(), other.getValue());
        contradicts |=
            problems
                .find(() -> pattern.parse("or write consistency: eventual", value -> both.build()))
                .isEmpty();
      }
    }
    return contradicts;
  }

  private static CollectionConfig.Builder set(
      CollectionConfig.Builder config, Key key, ConfigText text) {
    return switch (key) {
      case PRESET -> config.preset(text.choose(key.word(), List.of(Preset.values())));
      case TIME_TO_LIVE -> config.timeToLive(lifetime(text.value()));
      case IDLE -> config.idle(lifetime(text.value()));
      case MAX_SIZE -> config.maxSize(size(text.value()));
      case COLLECTION_ACKS -> acks(config, text.value());
      case COLLECTION_CONSISTENCY ->
          config.consistency(
              text.choose(key.word(), List.of(Consistency.EVENTUAL, Consistency.LINEARIZABLE)));
      default -> throw new IllegalStateException(key + " is not a key of a collection");
    };
  }

  private static Duration lifetime(String text) {
    if (text.equals(Key.NONE)) {
      return Duration.ZERO;
    }
    Duration lifetime = DurationText.parse(text);
    if (lifetime.isZero()) {
      throw new IllegalArgumentException("an entry cannot live for " + text);
    }
    return lifetime;
  }

  private static CollectionConfig.Builder acks(CollectionConfig.Builder config, String text) {
    return text.equals(Key.NONE) ? config : config.acks(Integer.parseInt(text));
  }

  private static int size(String text) {
    if (text.equals(Key.NONE)) {
      return 0;
    }
    long size = EntryCount.parse(text);
    if (size < 1 || size > CollectionConfig.SIZE_MAX) {
      throw new IllegalArgumentException(
          "the maximum size must be 1 to 1000M entries, not " + text);
    }
    return (int) size;
  }
}

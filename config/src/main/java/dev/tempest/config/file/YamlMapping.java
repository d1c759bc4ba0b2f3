package dev.tempest.config.file;

import dev.tempest.config.ConfigException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A mapping of a YAML file with the places of its values, and no keys but the known ones. */
final class YamlMapping {
  /** A star where a key begins is an alias of YAML, which nobody means here. */
  private static final Pattern BARE_STAR = Pattern.compile("(^|\\{) *\\*");

  private final String file;
  private final Place where;
  private final Consumer<ConfigException> problems;
  private final Map<String, Value> values = new LinkedHashMap<>();

  /** A value, and where its key stands. */
  private record Value(Place where, Node node) {}

  private YamlMapping(String file, Node node, String expected, Consumer<ConfigException> problems) {
    this.file = file;
    this.where = where(file, node);
    this.problems = problems;
    if (!(node instanceof MappingNode mapping)) {
      problems.accept(where.refusal("expected keys with values", expected));
      return;
    }
    for (NodeTuple tuple : mapping.getValue()) {
      String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
      Place keyWhere = where(file, tuple.getKeyNode());
      if (values.putIfAbsent(key, new Value(keyWhere, tuple.getValueNode())) != null) {
        problems.accept(keyWhere.refusal("the key '" + key + "' occurs twice", "keep one of them"));
      }
    }
  }

  /**
   * The mapping that is the whole file, without what is wrong with its keys and those of the
   * mappings in it.
   *
   * @param problems takes what is wrong
   * @throws ConfigException if it is no YAML
   */
  static YamlMapping parse(
      ConfigFile file, List<String> known, Consumer<ConfigException> problems) {
    return new YamlMapping(file.name(), root(file, all(known)), all(known), problems)
        .refuseUnknown(known);
  }

  private static Node root(ConfigFile file, String expected) {
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(file.name()).build();
      return new Composer(settings, new ShallowParser(settings, file.text()))
          .getSingleNode()
          .orElseThrow(() -> new ConfigException(file.name(), "the file is empty", expected));
    } catch (MarkedYamlEngineException e) {
      Place place = place(file.name(), e.getProblemMark());
      throw place.refusal(
          "the YAML cannot be read (" + e.getProblem() + ")", remedy(file, place.line() - 1));
    } catch (YamlEngineException e) {
      throw new ConfigException(
          file.name(), "the YAML cannot be read (" + e.getMessage() + ")", "correct the file");
    }
  }

  private static String remedy(ConfigFile file, int line) {
    boolean hasStar =
        file.text().lines().skip(Math.max(0, line - 1)).limit(2).anyMatch(BARE_STAR.asPredicate());
    return hasStar ? "write a star in quotes: \"*\"" : "correct the line or the one above";
  }

  private YamlMapping refuseUnknown(List<String> known) {
    boolean isFirst = true; // The known ones are many, and said once.
    for (Map.Entry<String, Value> each : values.entrySet()) {
      String key = each.getKey();
      if (!known.contains(key)) {
        String advice = isFirst ? Spelling.advice(key, known) : Spelling.shortAdvice(key, known);
        problems.accept(each.getValue().where().refusal("unknown key '" + key + "'", advice));
        isFirst = false;
      }
    }
    values.keySet().retainAll(known);
    return this;
  }

  /** Where a key stands, if the key is there. */
  Optional<Place> where(String key) {
    return Optional.ofNullable(values.get(key)).map(Value::where);
  }

  /** Where the mapping begins. */
  Place where() {
    return where;
  }

  /** The text at a key, if the key is there. */
  Optional<ConfigText> text(Key key) {
    return find(key.word()).map(node -> text(key, node));
  }

  /** The texts in the list at a key; empty if the key is not there. */
  List<ConfigText> texts(Key key) {
    var texts = new ArrayList<ConfigText>();
    for (Node item : find(key.word()).map(node -> sequence(key.word(), node)).orElse(List.of())) {
      try {
        texts.add(text(key, item));
      } catch (ConfigException e) {
        problems.accept(e);
      }
    }
    return texts;
  }

  /** The mappings in the list at a key; empty if the key is not there. */
  List<YamlMapping> mappingList(String key, List<String> known) {
    var mappings = new ArrayList<YamlMapping>();
    find(key)
        .ifPresent(node -> sequence(key, node).forEach(item -> mappings.add(child(item, known))));
    return mappings;
  }

  /**
   * The mappings in the mapping at a key, by keys that are free to choose, in the order of the
   * file; empty if the key is not there.
   */
  Map<ConfigText, YamlMapping> mappings(String key, List<String> known) {
    Map<ConfigText, YamlMapping> mappings = new LinkedHashMap<>();
    find(key)
        .ifPresent(node ->
            new YamlMapping(file, node, "write name: {" + known.getFirst() + ": ...}", problems)
                .values.forEach((name, value) ->
                    mappings.put(new ConfigText(name, value.where()), child(value.node(), known))));
    return mappings;
  }

  private YamlMapping child(Node node, List<String> known) {
    return new YamlMapping(file, node, all(known), problems).refuseUnknown(known);
  }

  private Optional<Node> find(String key) {
    return Optional.ofNullable(values.get(key)).map(Value::node);
  }

  private List<Node> sequence(String key, Node node) {
    if (node instanceof SequenceNode sequence) {
      return sequence.getValue();
    }
    throw where(file, node).refusal("'" + key + "' is not a list", "write " + key + ": [ ... ]");
  }

  private ConfigText text(Key key, Node node) {
    if (node instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
      return new ConfigText(scalar.getValue(), where(file, node));
    }
    throw where(file, node).refusal("'" + key.word() + "' is not a single value", key.remedy());
  }

  private static String all(List<String> known) {
    return "the keys are " + String.join(", ", known);
  }

  private static Place where(String file, Node node) {
    return place(file, node.getStartMark());
  }

  private static Place place(String file, Optional<Mark> mark) {
    return new Place(file, mark.map(Mark::getLine).orElse(-1) + 1);
  }
}

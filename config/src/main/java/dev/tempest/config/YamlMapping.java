package dev.tempest.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** A mapping of a YAML file with the places of its values, and no keys but the allowed ones. */
public final class YamlMapping {
  private final String file;
  private final String where;
  private final Map<String, Node> values = new LinkedHashMap<>();

  private YamlMapping(String file, Node node, List<String> allowed) {
    this.file = file;
    this.where = where(file, node);
    if (!(node instanceof MappingNode mapping)) {
      throw new ConfigException("here should be keys with values", where, known(allowed));
    }
    for (NodeTuple tuple : mapping.getValue()) {
      String keyWhere = where(file, tuple.getKeyNode());
      String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
      if (!allowed.contains(key)) {
        throw new ConfigException(
            "unknown key '" + key + "'", keyWhere, Spelling.advice(key, allowed));
      }
      if (values.put(key, tuple.getValueNode()) != null) {
        throw new ConfigException(
            "the key '" + key + "' is there twice", keyWhere, "keep one of them");
      }
    }
  }

  /** The mapping that is the whole file. */
  public static YamlMapping parse(String file, String yaml, List<String> allowed) {
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(file).build();
      Node root =
          new Composer(settings, new ParserImpl(settings, new StreamReader(settings, yaml)))
              .getSingleNode()
              .orElseThrow(() -> new ConfigException("the file is empty", file, known(allowed)));
      return new YamlMapping(file, root, allowed);
    } catch (MarkedYamlEngineException e) {
      String place = e.getProblemMark().map(mark -> line(file, mark)).orElse(file);
      throw new ConfigException(
          "this is not YAML (" + e.getProblem() + ")", place, "correct the line or the one above");
    } catch (YamlEngineException e) {
      throw new ConfigException(
          "this is not YAML (" + e.getMessage() + ")", file, "correct the file");
    }
  }

  /** Where the mapping begins. */
  public String where() {
    return where;
  }

  /** The text at a key, if the key is there. */
  public Optional<ConfigText> text(String key) {
    return Optional.ofNullable(values.get(key)).map(node -> text(key, node));
  }

  /** The texts in the list at a key, if the key is there. */
  public Optional<List<ConfigText>> texts(String key) {
    return Optional.ofNullable(values.get(key))
        .map(node -> sequence(key, node).stream().map(item -> text(key, item)).toList());
  }

  /** The mapping at a key, if the key is there. */
  public Optional<YamlMapping> mapping(String key, List<String> allowed) {
    return Optional.ofNullable(values.get(key)).map(node -> new YamlMapping(file, node, allowed));
  }

  /** The mappings in the list at a key; empty if the key is not there. */
  public List<YamlMapping> mappings(String key, List<String> allowed) {
    var mappings = new ArrayList<YamlMapping>();
    Node node = values.get(key);
    if (node != null) {
      for (Node item : sequence(key, node)) {
        mappings.add(new YamlMapping(file, item, allowed));
      }
    }
    return mappings;
  }

  private List<Node> sequence(String key, Node node) {
    if (node instanceof SequenceNode sequence) {
      return sequence.getValue();
    }
    throw new ConfigException(
        "'" + key + "' is not a list", where(file, node), "write " + key + ": [ ... ]");
  }

  private ConfigText text(String key, Node node) {
    if (node instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
      return new ConfigText(scalar.getValue(), where(file, node));
    }
    throw new ConfigException(
        "'" + key + "' is not a single value", where(file, node), "write " + key + ": value");
  }

  private static String known(List<String> allowed) {
    return "the keys are " + String.join(", ", allowed);
  }

  private static String where(String file, Node node) {
    return node.getStartMark().map(mark -> line(file, mark)).orElse(file);
  }

  private static String line(String file, Mark mark) {
    return file + " line " + (mark.getLine() + 1);
  }
}

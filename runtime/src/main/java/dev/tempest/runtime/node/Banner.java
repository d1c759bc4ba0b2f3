package dev.tempest.runtime.node;

import dev.tempest.config.CollectionConfig;
import dev.tempest.config.CollectionRule;
import dev.tempest.config.NodeConfig;
import java.util.ArrayList;
import java.util.List;

/** The one line that a node says of itself when it has joined. */
final class Banner {
  private Banner() {}

  static String of(NodeConfig config, List<String> members, boolean founded) {
    String others = members.size() == 1 ? "alone" : "with " + members.subList(1, members.size());
    return "Tempest %s %s cluster '%s', %s; looks for members %s; collections: %s; %s"
        .formatted(
            members.get(0),
            founded ? "founded" : "joined",
            config.cluster(),
            others,
            looks(config),
            presets(config),
            config.listen().isEverywhere()
                ? "no key, so anyone on this network can join ('listen: 127.0.0.1' closes it)"
                : "listens on " + config.listen().host());
  }

  private static String looks(NodeConfig config) {
    List<String> ways = new ArrayList<>();
    if (!config.members().isEmpty()) {
      return "at " + config.members();
    }
    if (config.multicastPort() > 0) {
      ways.add("by multicast");
    }
    if (config.loopback()) {
      ways.add("on this machine");
    }
    if (!config.seeds().isEmpty()) {
      ways.add("at " + config.seeds());
    }
    config.dns().ifPresent(name -> ways.add("at all addresses of " + name));
    return ways.isEmpty() ? "nowhere" : String.join(", ", ways);
  }

  private static String presets(NodeConfig config) {
    List<String> presets = new ArrayList<>();
    for (CollectionRule rule : config.collections()) {
      presets.add(rule.pattern() + " " + word(rule.config()));
    }
    presets.add((presets.isEmpty() ? "" : "others ") + CollectionConfig.defaults().preset().word());
    return String.join(", ", presets);
  }

  private static String word(CollectionConfig config) {
    return config.isLinearizable() ? "linearizable" : config.preset().word();
  }
}

package dev.tempest.cli;

import dev.tempest.config.CheckpointConfig.Log;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions.Reads;
import dev.tempest.config.file.NodeSettings;
import dev.tempest.config.file.Setting;
import java.util.ArrayList;
import java.util.List;

/**
 * What of a configuration has no effect on anything in it. That is no mistake by itself: a program
 * may host services, and keep collections, that no file names.
 */
final class WithoutEffect {
  private final NodeSettings settings;
  private final NodeConfig config;

  private WithoutEffect(NodeSettings settings) {
    this.settings = settings;
    this.config = settings.config();
  }

  /** A sentence for each. */
  static List<String> of(NodeSettings settings) {
    WithoutEffect found = new WithoutEffect(settings);
    List<String> sentences = new ArrayList<>();
    if (found.isNothingStored()) {
      sentences.add(found.ofLog(found.setting("log")));
    }
    if (found.isNothingReadSo()) {
      sentences.add(ofReads(found.setting("reads")));
    }
    return sentences;
  }

  private boolean isNothingStored() {
    return config.checkpoints().log() != Log.MEMORY
        && !hasLinearizableCollections()
        && !hosts(Consistency.LINEARIZABLE);
  }

  private String ofLog(Setting log) {
    String why =
        hosts(Consistency.PRIMARY_BACKUP)
            ? "primary-backup is in memory only"
            : "none of it is linearizable";
    return ("%s: log: %s stores nothing of what is configured here: %s. Write consistency:"
            + " linearizable where it is to be stored, unless a program hosts such services")
        .formatted(log.where(), log.value(), why);
  }

  private boolean isNothingReadSo() {
    return config.waits().reads() != Reads.LINEARIZABLE && !hasLinearizableCollections();
  }

  private static String ofReads(Setting reads) {
    return ("%1$s: reads: %2$s is for linearizable collections, and there are none here. For a"
            + " service write reads: %2$s under the service")
        .formatted(reads.where(), reads.value());
  }

  private boolean hasLinearizableCollections() {
    return config.collections().stream().anyMatch(rule -> rule.config().isLinearizable());
  }

  private boolean hosts(Consistency consistency) {
    return config.services().stream().anyMatch(each -> each.options().consistency() == consistency);
  }

  private Setting setting(String key) {
    return setting(settings, key);
  }

  /** The value of a key of the node, and where it was written. */
  static Setting setting(NodeSettings settings, String key) {
    return settings.node().stream()
        .filter(each -> each.key().equals(key))
        .findFirst()
        .orElseThrow();
  }
}

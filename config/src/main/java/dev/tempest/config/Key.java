package dev.tempest.config;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/** The keys of {@code tempest.yaml}: all that is known of them in words, for people and tools. */
enum Key {
  CLUSTER("tempest", "shop", "The name of the cluster; nodes of other names are not seen."),
  NAME("none", "till-3", "What people call this node; without one it goes by its address."),
  BIND(
      "private",
      "private, or 127.0.0.1",
      "The address or host name this node listens on; private: all addresses of this machine that"
          + " are not public; 127.0.0.1: nobody outside this machine joins."),
  PORT(
      "7500-7599",
      "7500, or 7500-7599",
      "The port this node listens on; of a range, the first that is free."),
  MULTICAST(
      "45791",
      "off, or a port from 1 to 65535",
      "The port by which nodes of one network find each other by multicast, or off."),
  LOOPBACK(
      "on",
      "on, or off",
      "Whether other nodes are looked for on this machine, at the first 16 of the ports."),
  SEEDS(
      "none",
      "[10.0.0.1, 10.0.0.2:7500]",
      "Where other nodes may be; without a port, the first one of this node's own."),
  DNS(
      "none",
      "shop.default.svc.cluster.local, or with :7500 behind",
      "A name whose every address may be a node, such as that of a headless service in Kubernetes;"
          + " without a port, the first one of this node's own."),
  EXPEL_AFTER(
      "60s",
      "60s, from 2s to 1d",
      "How long a node may be silent before the others go on without it."),
  COLLECTIONS(
      "none",
      "carts: {preset: session}, indented, in the lines below",
      "How collections are kept, by name or by the beginning of names and a star; of the patterns"
          + " that fit, the most specific applies and no other."),
  PRESET(
      "session",
      "session, or eventual",
      "session: the node that is called executes, changes travel, the later write of a key counts."
          + " eventual: conditional writes are decided by every node in the one order."),
  TIME_TO_LIVE("none", "30m, or none", "How long an entry lives after it was written."),
  IDLE("none", "30m, or none", "How long an entry lives after it was last written or touched."),
  MAX_SIZE("none", "100000, 100k, or none", "How many entries there are at most.");

  /** The word that stands for no value where there may be none. */
  static final String NONE = "none";

  private final String defaultText;
  private final String example;
  private final String description;

  /**
   * @param example what may be written
   */
  Key(String defaultText, String example, String description) {
    this.defaultText = defaultText;
    this.example = example;
    this.description = description;
  }

  /** The keys of the file itself. */
  static List<Key> ofNode() {
    return List.copyOf(EnumSet.range(CLUSTER, COLLECTIONS));
  }

  /** The keys of each collection. */
  static List<Key> ofCollection() {
    return List.copyOf(EnumSet.range(PRESET, MAX_SIZE));
  }

  static List<String> words(List<Key> keys) {
    return keys.stream().map(Key::word).toList();
  }

  /** As it is written in a file. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The environment variable that goes before the file. */
  String variable() {
    return "TEMPEST_" + name();
  }

  /** Whether there is such a variable: what collections are like is written in files only. */
  boolean hasVariable() {
    return compareTo(COLLECTIONS) < 0;
  }

  String defaultText() {
    return defaultText;
  }

  String description() {
    return description;
  }

  /** What to do about a value that cannot work. */
  String remedy() {
    return "write " + word() + ": " + example;
  }
}

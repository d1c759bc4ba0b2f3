package dev.tempest.config;

import java.util.List;

/**
 * The keys that may stand in a mapping of a file.
 *
 * @param here those that may
 * @param elsewhere those that may not, though people who mix up two kinds of files write them
 * @param remedy what to do about a key that belongs elsewhere
 */
public record KnownKeys(List<String> here, List<String> elsewhere, String remedy) {
  private static final List<String> SERVER_KEYS =
      List.of("cluster", "listen", "servers", "multicast", "gossip-interval", "services", "faults");
  private static final List<String> NODE_KEYS = Key.words(Key.ofNode());

  /** Those of a node's {@code tempest.yaml}. */
  public static final KnownKeys NODE =
      new KnownKeys(
          NODE_KEYS,
          SERVER_KEYS,
          "it is a key of servers, and this is read as the file of a node: run servers with"
              + " --config and a file of another name, or name the node's with TEMPEST_CONFIG");

  /** Those of a server's file. */
  public static final KnownKeys SERVER =
      new KnownKeys(
          SERVER_KEYS,
          NODE_KEYS,
          "it is a key of a node's tempest.yaml, and this is read as the file of a server: give"
              + " each a file of its own");

  /** Copies the lists. */
  public KnownKeys {
    here = List.copyOf(here);
    elsewhere = List.copyOf(elsewhere);
  }

  /** Just these. */
  public static KnownKeys of(List<String> keys) {
    return new KnownKeys(keys, List.of(), "");
  }

  /** What to do about a key that is not known here. */
  String advice(String key) {
    return elsewhere.contains(key) ? remedy : Spelling.advice(key, here);
  }

  @Override
  public String toString() {
    return "the keys are " + String.join(", ", here);
  }
}

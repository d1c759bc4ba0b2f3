package dev.tempest.config;

import java.util.regex.Pattern;

/** What clusters and nodes may be called. */
final class NodeNames {
  static final String CLUSTER_FORM = "[A-Za-z][A-Za-z0-9._-]{0,63}";
  static final String NAME_FORM = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

  private static final Pattern CLUSTER = Pattern.compile(CLUSTER_FORM);
  private static final Pattern NAME = Pattern.compile(NAME_FORM);

  private NodeNames() {}

  /** The name of a cluster, if it may be one. */
  static String checkCluster(String name) {
    if (!CLUSTER.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "invalid cluster name '"
              + name
              + "': use a letter, then up to 63 letters, digits, dots, dashes or underscores");
    }
    return name;
  }

  /** The display name of a node, if it may be one; empty for none. */
  static String checkName(String name) {
    if (!name.isEmpty() && !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "invalid node name '"
              + name
              + "': use up to 64 letters, digits, dots, dashes or underscores, the first a letter"
              + " or digit");
    }
    return name;
  }
}

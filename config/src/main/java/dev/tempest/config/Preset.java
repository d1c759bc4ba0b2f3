package dev.tempest.config;

import java.util.Locale;

/** How the writes to a collection become known to the other nodes, and which of two counts. */
public enum Preset {
  /**
   * The node that is called executes; what it changed travels. Of two writes to one key the later
   * one counts, even if the earlier one was conditional; counters and registered merges add up.
   */
  SESSION(
      "the node that is called executes and its changes travel; of two writes to one key the later"
          + " one counts; counters and registered merges add up"),

  /**
   * As {@link #SESSION}, but conditional writes ({@code putIfAbsent}, {@code replace}, {@code
   * remove} with an expected value) travel as such: every node decides them, all in the one order
   * and so alike. What the caller was told may be decided otherwise when an earlier write arrives.
   */
  EVENTUAL(
      "putIfAbsent, replace and remove with an expected value are decided by every node in the one"
          + " order; all other writes travel as changes, of which the later one counts; counters"
          + " and registered merges add up");

  private final String guarantee;

  Preset(String guarantee) {
    this.guarantee = guarantee;
  }

  /** What the preset promises, in a sentence without its first capital and last stop. */
  public String guarantee() {
    return guarantee;
  }

  /** The word for it in configuration files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

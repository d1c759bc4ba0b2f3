package dev.tempest.config;

import java.util.Locale;

/** How writes to a collection reach the other nodes, and which of two concurrent writes wins. */
public enum Preset {
  /**
   * The calling node executes, and its changes travel. Of two writes to one key the later one wins,
   * even if the earlier one was conditional; counters and registered merges add up.
   */
  SESSION(
      "the calling node executes, and its changes travel; of two writes to one key the later one"
          + " wins; counters and registered merges add up"),

  /**
   * As {@link #SESSION}, but conditional writes ({@code putIfAbsent}, {@code replace}, {@code
   * remove} with an expected value) travel as such: every node decides them in the one order of all
   * writes, and so alike. An earlier write that arrives late may reverse what the caller was told.
   */
  EVENTUAL(
      "every node decides putIfAbsent, replace, and remove with an expected value in the one order"
          + " of all writes; of other writes to one key the later one wins; counters and"
          + " registered merges add up");

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

package dev.tempest.config.file;

import org.jspecify.annotations.Nullable;

/**
 * A value that applies, and why.
 *
 * @param key as it is written in a file
 * @param value as it was written
 * @param where file and line, environment variable, or {@link #DEFAULT}
 */
public record Setting(String key, String value, String where) {
  /** Where a value comes from that nobody wrote. */
  public static final String DEFAULT = "default";

  /** The value of a key that somebody wrote, or its default. */
  static Setting of(Key key, @Nullable ConfigText text) {
    return text == null
        ? new Setting(key.word(), key.defaultText(), DEFAULT)
        : new Setting(key.word(), text.value(), text.where().toString());
  }
}

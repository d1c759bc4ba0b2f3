package dev.tempest.config.file;

import java.util.regex.Pattern;

/** A number of entries as files say it: {@code 100000}, {@code 100k} or {@code 1M}. */
final class EntryCount {
  /** As a pattern. */
  static final String FORM = "[0-9]{1,9}[kM]?";

  private static final Pattern PATTERN = Pattern.compile(FORM);

  private EntryCount() {}

  static long parse(String text) {
    if (!PATTERN.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a number of entries");
    }
    long unit = text.endsWith("k") ? 1_000 : text.endsWith("M") ? 1_000_000 : 1;
    return Long.parseLong(unit == 1 ? text : text.substring(0, text.length() - 1)) * unit;
  }
}

package dev.tempest.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was chosen of an experiment. Immutable. */
final class Settings {
  private final Map<String, String> values = new LinkedHashMap<>();

  private Settings() {}

  /**
   * All that can be chosen, as chosen.
   *
   * @param full whether the values for {@code --full} are those of what was not chosen
   * @param chosen values by the names of the settings
   * @throws IllegalArgumentException if a value cannot be
   */
  static Settings of(List<Setting> all, boolean full, Map<String, String> chosen) {
    Settings settings = new Settings();
    for (Setting setting : all) {
      String value = chosen.getOrDefault(setting.name(), full ? setting.full() : setting.usual());
      setting.check(value);
      settings.values.put(setting.name(), value);
    }
    return settings;
  }

  /** Whether a flag is set. */
  boolean is(String name) {
    return Boolean.parseBoolean(value(name));
  }

  /** A whole number. */
  int number(String name) {
    return Integer.parseInt(value(name));
  }

  /** Whole numbers. */
  List<Integer> numbers(String name) {
    return words(name).stream().map(Integer::valueOf).toList();
  }

  /** Words. */
  List<String> words(String name) {
    return Setting.parts(value(name));
  }

  /** A time. */
  int millis(String name) {
    return (int) Math.round(Double.parseDouble(value(name)) * 1_000);
  }

  private String value(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no setting " + name);
    }
    return value;
  }
}

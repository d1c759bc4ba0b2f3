package dev.tempest.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What was chosen of an experiment: a value for the name of each of its settings. */
record Settings(Map<String, String> values) {
  boolean is(String name) {
    return Boolean.parseBoolean(value(name));
  }

  int number(String name) {
    return Integer.parseInt(value(name));
  }

  List<Integer> numbers(String name) {
    return words(name).stream().map(Integer::valueOf).toList();
  }

  List<String> words(String name) {
    return Setting.parts(value(name));
  }

  int millis(String name) {
    return (int) Math.round(Double.parseDouble(value(name)) * 1_000);
  }

  /** Null if none was chosen. */
  @Nullable Path file(String name) {
    String value = value(name);
    return value.isEmpty() ? null : Path.of(value);
  }

  private String value(String name) {
    return Objects.requireNonNull(values.get(name), name);
  }
}

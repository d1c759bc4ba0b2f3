package dev.tempest.bench;

import static java.util.stream.Collectors.joining;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;

/**
 * One measured point: what it is of and its numbers, a line of JSON.
 *
 * @param fields by their names, which say the units; in the order of the line
 * @param nanos how long each request took; empty where not each was timed
 */
record Point(Map<String, Object> fields, Histogram nanos) implements Serializable {
  private static final int SIGNIFICANT_DIGITS = 3;

  /** A point of names, each followed by its value. */
  static Point of(Object... namesAndValues) {
    return new Point(Map.of(), new Histogram(SIGNIFICANT_DIGITS)).with(namesAndValues);
  }

  /** The same with further fields. */
  Point with(Object... namesAndValues) {
    Map<String, Object> all = new LinkedHashMap<>(fields);
    for (int at = 0; at < namesAndValues.length; at += 2) {
      all.put(namesAndValues[at].toString(), namesAndValues[at + 1]);
    }
    return new Point(all, nanos);
  }

  /** The same with further fields. */
  Point with(Map<String, Object> further) {
    Map<String, Object> all = new LinkedHashMap<>(fields);
    all.putAll(further);
    return new Point(all, nanos);
  }

  /** The same with the time that each request took. */
  Point withNanos(Histogram each) {
    return new Point(fields, each);
  }

  /** The same with the machine's part in it: what is only simulated does not depend on it. */
  Point onThisMachine() {
    return with(
        "cores", Runtime.getRuntime().availableProcessors(), "jdk", Runtime.version().toString());
  }

  /** The text of a field. */
  String text(String field) {
    return Objects.requireNonNull(fields.get(field), field).toString();
  }

  /** The number of a field. */
  double number(String field) {
    if (fields.get(field) instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException("no number " + field + " in " + toJson());
  }

  /** As one line of JSON, without the line's end. */
  String toJson() {
    return fields.entrySet().stream()
        .map(field -> json(field.getKey()) + ":" + json(field.getValue()))
        .collect(joining(",", "{", "}"));
  }

  private static String json(Object value) {
    return switch (value) {
      // NaN and infinity have no place in JSON; a run without a request has a mean of 0.
      case Double number -> String.format(Locale.ROOT, "%.3f", number);
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      case List<?> list -> list.stream().map(Point::json).collect(joining(",", "[", "]"));
      default ->
          value
              .toString()
              .codePoints()
              .mapToObj(each ->
                  each < ' ' || each == '"' || each == '\\'
                      ? "\\u%04x".formatted(each)
                      : Character.toString(each))
              .collect(joining("", "\"", "\""));
    };
  }
}

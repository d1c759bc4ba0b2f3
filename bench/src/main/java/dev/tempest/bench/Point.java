package dev.tempest.bench;

import dev.tempest.runtime.Json;
import java.io.Serializable;
import java.util.LinkedHashMap;
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
  /** Of histograms. */
  static final int SIGNIFICANT_DIGITS = 3;

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

  /** The same with the time that each request took. */
  Point withNanos(Histogram each) {
    return new Point(fields, each);
  }

  /** The same with the machine's part in it: what is only simulated does not depend on it. */
  Point onThisMachine() {
    return with(
        "cores", Runtime.getRuntime().availableProcessors(), "jdk", Runtime.version().toString());
  }

  String text(String field) {
    return Objects.requireNonNull(fields.get(field), field).toString();
  }

  double number(String field) {
    if (fields.get(field) instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException("no number " + field + " in " + toJson());
  }

  /** As one line of JSON, without the line's end. */
  String toJson() {
    return Json.of(fields);
  }
}

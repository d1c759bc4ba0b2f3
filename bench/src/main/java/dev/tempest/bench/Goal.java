package dev.tempest.bench;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a number is to be, beside what it is.
 *
 * @param what was measured
 * @param unit of both numbers; empty for a ratio
 * @param most the median is to be at most this
 */
record Goal(String what, String unit, double most, Spread measured) {

  boolean isReached() {
    return measured.median() <= most;
  }

  /** A line of a table. */
  String toText() {
    return String.format(
        Locale.ROOT,
        "%-58s %9s %-26s %s",
        what,
        "%s %s".formatted(number(most), unit).strip(),
        "%s [%s .. %s]"
            .formatted(
                number(measured.median()), number(measured.lowest()), number(measured.highest())),
        isReached() ? "reached" : "NOT reached");
  }

  /** A line of JSON. */
  String toJson(String benchmark) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("benchmark", benchmark);
    fields.put("goal", what);
    fields.put("unit", unit);
    fields.put("atMost", most);
    fields.put("median", measured.median());
    fields.put("lowest", measured.lowest());
    fields.put("highest", measured.highest());
    fields.put("reached", isReached());
    return JsonLine.of(fields);
  }

  /** Three digits that count are enough. */
  private static String number(double value) {
    String format = Math.abs(value) >= 100 || value == Math.rint(value) ? "%.0f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}

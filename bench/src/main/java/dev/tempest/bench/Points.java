package dev.tempest.bench;

import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Measured points, in the order in which they came. */
record Points(List<Point> all) {
  Points {
    all = List.copyOf(all);
  }

  Points where(Predicate<Point> condition) {
    return new Points(all.stream().filter(condition).toList());
  }

  /** Those whose field has the value. */
  Points where(String field, Object value) {
    return where(point -> value.equals(point.fields().get(field)));
  }

  /** Those that have a field. */
  Points having(String field) {
    return where(point -> point.fields().containsKey(field));
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** The different values of a field, in the order in which they came first. */
  List<Object> values(String field) {
    return having(field).all.stream().map(point -> point.fields().get(field)).distinct().toList();
  }

  /**
   * The points of each combination of values.
   *
   * @param fields with commas between
   */
  List<Points> by(String fields) {
    Stream<Points> groups = Stream.of(this);
    for (String field : Setting.parts(fields)) {
      groups =
          groups.flatMap(
              group -> group.values(field).stream().map(value -> group.where(field, value)));
    }
    return groups.toList();
  }

  /** The text of a field that all points have in common. */
  String text(String field) {
    return all.getFirst().text(field);
  }

  /** A format with the texts of fields that all points have in common, with commas between. */
  String name(String format, String fields) {
    return format.formatted(Setting.parts(fields).stream().map(this::text).toArray());
  }

  /** One number for each point that has it. */
  List<Double> numbers(String field) {
    return having(field).all.stream().map(point -> point.number(field)).toList();
  }

  Spread spread(String field) {
    return Spread.of(numbers(field));
  }

  double median(String field) {
    return spread(field).median();
  }

  /** A number, divided by that of others in the same rounds. */
  Spread ratio(String field, Points others) {
    return Spread.ofRatios(numbers(field), others.numbers(field));
  }

  /** A number, divided by another one of the same point. */
  Spread ratio(String field, String other) {
    return Spread.ofRatios(numbers(field), numbers(other));
  }

  /** A median, divided by that of others, such as {@code 0.93}. */
  String part(String field, Points others) {
    return String.format(Locale.ROOT, "%.2f", median(field) / others.median(field));
  }

  /** A format with the last value of a field and the first. */
  String ends(String format, String field) {
    List<Object> values = values(field);
    return format.formatted(values.getLast(), values.getFirst());
  }

  /** A median where a field has its last value, divided by that where it has its first. */
  String growth(String along, String field) {
    return by(along).getLast().part(field, by(along).getFirst());
  }

  /** The median of one number at each value of another. */
  NavigableMap<Double, Double> curve(String x, String y) {
    NavigableMap<Double, Double> curve = new TreeMap<>();
    by(x).forEach(points -> curve.put(points.median(x), points.median(y)));
    return curve;
  }

  /** How long the requests of all points took. */
  Histogram nanos() {
    Histogram sum = new Histogram(Point.SIGNIFICANT_DIGITS);
    all.forEach(point -> sum.add(point.nanos()));
    return sum;
  }
}

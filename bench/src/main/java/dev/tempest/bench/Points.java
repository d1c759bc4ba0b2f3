package dev.tempest.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/** Measured points, in the order in which they came. */
record Points(List<Point> all) {
  /** Copies the list. */
  Points {
    all = List.copyOf(all);
  }

  /** Those that a condition holds for. */
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

  /** Whether there are none. */
  boolean isEmpty() {
    return all.isEmpty();
  }

  /** The different values of a field, in the order in which they came first. */
  List<Object> values(String field) {
    return having(field).all.stream().map(point -> point.fields().get(field)).distinct().toList();
  }

  /** The points of each value of a field. */
  List<Points> by(String field) {
    return values(field).stream().map(value -> where(field, value)).toList();
  }

  /** The text of a field that all points have in common. */
  String text(String field) {
    return all.getFirst().text(field);
  }

  /** One number for each point that has it. */
  List<Double> numbers(String field) {
    return having(field).all.stream().map(point -> point.number(field)).toList();
  }

  /** The middle and the ends of a number. */
  Spread spread(String field) {
    return Spread.of(numbers(field));
  }

  /** The middle of a number. */
  double median(String field) {
    return spread(field).median();
  }

  /** A number, divided by that of others in the same rounds. */
  Spread ratio(String field, Points others) {
    return Spread.ofRatios(numbers(field), others.numbers(field));
  }

  /** A median, divided by that of others, such as {@code 0.93}. */
  String part(String field, Points others) {
    return String.format(Locale.ROOT, "%.2f", median(field) / others.median(field));
  }

  /** The median of one number at each value of another. */
  NavigableMap<Double, Double> curve(String x, String y) {
    NavigableMap<Double, Double> curve = new TreeMap<>();
    for (Points points : by(x)) {
      curve.put(points.all.getFirst().number(x), points.median(y));
    }
    return curve;
  }

  /** How long the requests of all points took. */
  Histogram nanos() {
    Histogram sum = new Histogram(all.getFirst().nanos());
    all.forEach(point -> sum.add(point.nanos()));
    return sum;
  }

  /** These, then others. */
  Points and(Points others) {
    List<Point> both = new ArrayList<>(all);
    both.addAll(others.all);
    return new Points(both);
  }
}

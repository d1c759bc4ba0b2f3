package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PointsTest {
  private final Points points =
      new Points(
          List.of(
              Point.of("system", "b", "clients", 1, "micros", 4.0),
              Point.of("system", "a", "clients", 1, "micros", 2.0),
              Point.of("system", "b", "clients", 8, "micros", 30.0),
              Point.of("system", "b", "clients", 1, "micros", 8.0),
              Point.of("system", "a", "clients", 1, "micros", 4.0)));

  @Test
  void aRowForEachCombinationOfLabelsInTheOrderOfThePoints() {
    Table table = Table.of("all", points, "system,clients", Column.medians("us=micros"));
    assertThat(table.head()).containsExactly("system", "clients", "us");
    assertThat(table.rows())
        .containsExactly(List.of("b", "1", "6"), List.of("b", "8", "30"), List.of("a", "1", "3"));
  }

  @Test
  void ratiosAreOfTheSameRound() {
    Points one = points.where("clients", 1);
    assertThat(one.where("system", "b").ratio("micros", one.where("system", "a")))
        .isEqualTo(Spread.of(2));
  }

  @Test
  void aCurveHasTheMedianOfEachPlace() {
    assertThat(points.where("system", "b").curve("clients", "micros"))
        .isEqualTo(Map.of(1.0, 6.0, 8.0, 30.0));
  }

  @Test
  void aPointComesBackFromItsProcess() throws IOException {
    Histogram nanos = new Histogram(3);
    nanos.recordValue(21_500);
    nanos.recordValueWithCount(1_000_000, 3);
    Point point = new LoadPlan(8, 20, 1_000).result(nanos, 2_000_000_000, 9, 1);
    assertThat(ObjectLine.read(ObjectLine.of(point))).isEqualTo(point);
    assertThat(point.number("requestsPerSecond")).isEqualTo(2);
    assertThatThrownBy(() -> ObjectLine.read("AAAA")).isInstanceOf(IOException.class);
  }

  @Test
  void aPointIsOneLineOfJson() {
    Point point = Point.of("is", true, "list", List.of(1, 2), "share", 0.5);
    assertThat(point.toJson()).isEqualTo("{\"is\":true,\"list\":[1,2],\"share\":0.5}");
  }
}

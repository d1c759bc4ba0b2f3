package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.bench.Table.Column;
import java.util.List;
import java.util.Map;
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
  void aPointIsOneLineOfJson() {
    Point point = Point.of("a \"quoted\"\nname", true, "list", List.of(1, 2), "share", 0.5);
    assertThat(point.toJson())
        .isEqualTo("{\"a \\u0022quoted\\u0022\\u000aname\":true,\"list\":[1,2],\"share\":0.500}");
  }
}

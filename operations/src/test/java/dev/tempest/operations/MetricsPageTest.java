package dev.tempest.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The page of the documentation has all meters, with their kinds, units and tags, and no others.
 */
@Timeout(60)
final class MetricsPageTest {
  private static final Pattern ROW =
      Pattern.compile(
          "^\\| `(tempest[.a-z]+)` \\| (\\w+)(?:, (\\w+))? \\| ([^|]*)\\|", Pattern.MULTILINE);
  private static final Pattern TAG = Pattern.compile("(?:^|, )`(\\w+)`");

  private record Described(String kind, String unit, Set<String> tags) {}

  @Test
  void hasAllMeters() throws Exception {
    var described = new TreeMap<String, Described>();
    ROW.matcher(Files.readString(Path.of("../docs/reference/metrics.md")))
        .results()
        .forEach(row -> {
          var tags = new TreeSet<String>();
          TAG.matcher(row.group(4).strip()).results().forEach(tag -> tags.add(tag.group(1)));
          String unit = row.group(3) == null ? "" : row.group(3);
          described.put(row.group(1), new Described(row.group(2), unit, tags));
        });
    var there = new TreeMap<String, Described>();
    NodeConfig config =
        NodeConfig.builder()
            .cluster("page-" + ProcessHandle.current().pid())
            .listen("127.0.0.1")
            .build();
    try (Node node = Tempest.join(config)) {
      node.counter("visits").add(1);
      var http = node.monitor().tell("http", () -> Map.of("503", 1L));
      var sessions = node.monitor().tell("sessions", () -> Map.of("created", 1L));
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      NodeMetrics metrics = new NodeMetrics(node.monitor());
      metrics.bindTo(registry);
      for (Meter meter : registry.getMeters()) {
        there.put(meter.getId().getName(), described(meter));
      }
      metrics.close();
      http.close();
      sessions.close();
      assertThat(registry.getMeters()).isEmpty();
    }
    assertThat(described).isEqualTo(there).hasSizeGreaterThan(20);
  }

  private static Described described(Meter meter) {
    var tags = new TreeSet<String>();
    meter.getId().getTags().forEach(tag -> tags.add(tag.getKey()));
    String unit = meter.getId().getBaseUnit();
    String kind = meter.getId().getType() == Meter.Type.GAUGE ? "gauge" : "counter";
    return new Described(kind, unit == null ? "" : unit, tags);
  }
}

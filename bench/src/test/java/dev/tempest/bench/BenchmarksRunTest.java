package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each benchmark once, as short as possible: that it runs and every request is answered, not how
 * fast. Those of {@link ConsensusBenchmarksRunTest} run beside them.
 */
class BenchmarksRunTest extends BenchmarkRuns {
  @Test
  void echo() throws IOException {
    run("echo --rounds 2 --seconds 0.05 --warm-up 0.02");
    assertThat(printed.toString())
        .contains("UDP echo", "bare multicast exchange", "update / bare exchange, p50");
    assertThat(measured()).hasSize(2 * 4).noneMatch(line -> line.contains("\"answered\":0,"));
    assertThat(goals()).hasSize(4);
    assertThat(folder.resolve("echo.svg")).isNotEmptyFile();
  }

  @Test
  void cart() throws IOException {
    run("cart --clients 1,8 --rounds 1 --seconds 0.1 --warm-up 0 --batches 40");
    assertThat(printed.toString())
        .contains("half updates / bare multicast", "1,024 / 16", "at most 3");
    assertThat(measured()).filteredOn(line -> line.contains("accessMicros")).hasSize(5);
    assertThat(measured())
        .filteredOn(line -> line.contains("\"round\""))
        .hasSize(2 + 2 * 5 + 1)
        .noneMatch(line -> line.contains("\"answered\":0,"))
        .allMatch(line -> line.contains("\"failed\":0,"));
    assertThat(folder.resolve("cart-interaction-time.svg")).isNotEmptyFile();
    assertThat(folder.resolve("cart-requests.svg")).isNotEmptyFile();
    assertThat(page()).contains("T4", "The paper", "think time");
  }

  @Test
  @Tag("long") // Busy loops take the processors from whatever else runs.
  void callers() throws IOException {
    run("callers --clients 2 --rounds 1 --seconds 0.1 --warm-up 0 --busy 1 --virtual-threads");
    boolean hasRedis = printed.toString().contains("Redis, WAIT 2");
    assertThat(printed.toString())
        .contains("virtual threads", "1 busy loops", "processor us more than the local map");
    assertThat(page().contains("Redis was not measured")).isNotEqualTo(hasRedis);
    assertThat(measured())
        .hasSize(2 * (hasRedis ? 6 : 5))
        .noneMatch(line -> line.contains("\"answered\":0,"))
        .allMatch(line -> line.contains("\"failed\":0,"));
    assertThat(page()).contains("Callers that wait", "Tomcat");
  }

  @Test
  void servlet() throws IOException {
    run("servlet --clients 2 --writes 50 --rounds 1 --seconds 0.1 --warm-up-requests 1 --steps 10");
    int systems = page().contains("Redis was not measured") ? 6 : 7;
    assertThat(measured())
        .hasSize(2 * (2 * systems - 1) + 2)
        .noneMatch(line -> line.contains("\"answered\":0,"));
    assertThat(measured())
        .filteredOn(line -> line.contains("\"clients\""))
        .allMatch(line -> line.contains("\"failed\":0,"));
    assertThat(page()).contains("B7", "Figures 7 and 8", "consistency check", "11,160");
    assertThat(folder.resolve("servlet-50-any.svg")).isNotEmptyFile();
  }

  @Test
  @Tag("long") // Measures 80 things.
  void collections() throws IOException {
    run(
        "collections --entries 100,1000 --rounds 1 --seconds 0.01 --warm-up 0.01 --starts 1"
            + " --calm 0.1 --idle 0.1");
    assertThat(printed.toString())
        .contains(
            "Tempest map / HashMap",
            "get / ConcurrentHashMap, 1000 entries",
            "reads: local, all put 5 %, 1000 entries",
            "first put");
    assertThat(goals()).hasSizeGreaterThanOrEqualTo(16);
    assertThat(measured())
        .hasSizeGreaterThanOrEqualTo(2 * 5 * 6 + 2 * 3 + 6 + 1 + 2 + 1)
        .noneMatch(line -> line.contains("\"operations\":0,"));
    assertThat(folder.resolve("collections-maps.svg")).isNotEmptyFile();
    assertThat(folder.resolve("collections-sorted-maps.svg")).isNotEmptyFile();
  }

  @Test
  @Tag("long") // Some of its processes give way to all others, which a build has many of.
  void join() throws IOException {
    run("join --entries 20000 --burst 20000 --before 1 --warm-up 0 --heap 512");
    assertThat(printed.toString()).contains("MB over loopback", "until the other node has");
    assertThat(goals()).filteredOn(line -> line.contains("\"bound\"")).hasSize(2 * 2 + 1);
    assertThat(measured()).filteredOn(line -> line.contains("\"what\"")).hasSize(2);
    assertThat(measured())
        .filteredOn(line -> line.contains("\"heapBytes\""))
        .hasSizeGreaterThanOrEqualTo(4);
    for (String phase : List.of("before", "joining")) {
      assertThat(measured())
          .filteredOn(line -> line.contains("\"p99Micros\""))
          .anyMatch(line -> line.contains("\"phase\":\"" + phase + "\""));
    }
    assertThat(folder.resolve("join-p99.svg")).isNotEmptyFile();
  }

  @Test
  @Tag("long") // Two clusters of six servers, for seconds each.
  void overload() throws IOException {
    run("overload --before 0.5 --seconds 0.5 --after 2 --rate 2000 --other-work 1");
    assertThat(printed.toString())
        .contains("rogue requests", "acknowledged updates that the replicas lack");
    assertThat(measured()).hasSize(2 * (2 * 2 + 2));
    assertThat(measured())
        .filteredOn(line -> line.contains("\"acknowledged\"") && line.contains("\"merge\""))
        .singleElement()
        .asString()
        .contains("\"lost\":[0,0,0,0,0,0]")
        .doesNotContain("\"acknowledged\":0,", "\"settledMillis\":-1");
    assertThat(folder.resolve("overload-stale.svg")).isNotEmptyFile();
  }

  @Test
  void services() throws IOException {
    run("services --replicas 2,3 --virtual-seconds 1 --seconds 0.4");
    assertThat(measured())
        .hasSize(6 * 3)
        .allMatch(line -> line.contains("\"unanswered\":0,") || line.endsWith("\"unanswered\":0}"))
        .noneMatch(line -> line.contains("\"requests\":0,"));
    assertThat(measured()).filteredOn(line -> line.contains("\"measured\"")).hasSize(6);
    assertThat(printed.toString()).contains("CPU and I/O, large variance", "measured");
    assertThat(page()).contains("T6", "Fig. 6", "reads measured / simulated");
    assertThat(folder.resolve("services-reads.svg")).isNotEmptyFile();
  }

  @Test
  void composite() throws IOException {
    run("composite --servers 1 --virtual-seconds 1 --seconds 0.4");
    assertThat(measured()).hasSize(4).allMatch(line -> line.contains("\"perRequest\":7,"));
    assertThat(page()).contains("T7", "Fig. 7", "mean of reads with 8 replicas / with 1");
    assertThat(folder.resolve("composite-simulated.svg")).isNotEmptyFile();
    assertThat(folder.resolve("composite-measured.svg")).isNotEmptyFile();
  }

  @Test
  @Tag("long") // Runs 24 clusters.
  void adaptive() throws IOException {
    run("adaptive --replicas 3 --servers 2 --virtual-seconds 1 --seconds 0.4");
    assertThat(measured()).hasSize(4 * 7 + 4 * 3 + 2 * 4 * 3);
    assertThat(measured()).filteredOn(line -> line.contains("\"discovery\"")).hasSize(7 + 3 + 6);
    assertThat(page()).contains("T8", "Fig. 8", "adaptive, k=2 / discovery", "largest payoff");
    assertThat(folder.resolve("adaptive-reads.svg")).isNotEmptyFile();
  }

  /** The simulator is the same whatever the machine does: here the numbers themselves count. */
  @Test
  void gossip() throws IOException {
    run("gossip --replicas 3,30,300 --updates 1000,100000");
    assertThat(printed.toString()).contains("300", "100000", "paper's set");
    assertThat(measured()).hasSize(5);
    assertThat(folder.resolve("gossip-dissemination.svg")).isNotEmptyFile();
    assertThat(folder.resolve("gossip-history.svg")).isNotEmptyFile();
    assertThat(page()).contains("T9", "at most 3", "100000");

    // Ten times the replicas take some rounds more, and not ten times as many.
    assertThat(numbers("rounds")).hasSize(3).allMatch(rounds -> rounds < 15);
    assertThat(numbers("messagesPerRound")).hasSize(5).allMatch(messages -> messages <= 3);
    List<Double> bytes = numbers("bytesPerRound");
    assertThat(bytes.get(4)).isLessThan(1.2 * bytes.get(3));
  }

  /** Simulated numbers are compared between machines: they must not depend on them. */
  @Test
  void sameSeedSameLines() throws IOException {
    String simulated = "services --simulated --replicas 3 --virtual-seconds 1";
    run(simulated);
    List<String> once = measured();
    run(simulated);
    assertThat(measured()).isEqualTo(once).hasSize(6);
    run(simulated + " --seed 2");
    assertThat(measured()).isNotEqualTo(once);
  }
}

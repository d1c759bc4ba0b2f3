package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each benchmark once, as short as possible: that it runs, not how fast. */
@Timeout(120)
class BenchmarksRunTest {
  @TempDir Path folder;

  private final StringWriter printed = new StringWriter();

  @Test
  void echo() throws IOException, InterruptedException {
    EchoBenchmark.Options options =
        EchoBenchmark.Options.defaults()
            .withRounds(2, Duration.ofMillis(50), Duration.ofMillis(20))
            .withFolder(folder);
    EchoBenchmark.run(options, new PrintWriter(printed));
    assertThat(printed.toString())
        .contains("UDP echo", "bare multicast exchange", "update / bare exchange, p50: ");
    List<String> lines = Files.readAllLines(folder.resolve("results.jsonl"));
    assertThat(lines).hasSize(8).noneMatch(line -> line.contains("\"requests\":0,"));
    assertThat(folder.resolve("echo.svg")).isNotEmptyFile();
    assertNothingIsLeft();
  }

  @Test
  void cart() throws IOException, InterruptedException {
    Duration tenth = Duration.ofMillis(100);
    CartBenchmark.Options options =
        CartBenchmark.Options.defaults()
            .withClients(List.of(1, 8))
            .withTimes(Duration.ZERO, tenth, Duration.ZERO)
            .withRounds(1, tenth)
            .withFolder(folder);
    CartBenchmark.run(options, new PrintWriter(printed));
    assertThat(printed.toString())
        .contains("half updates / bare multicast: ", "1,024 / 16: ", "at most 3");
    List<String> lines = Files.readAllLines(folder.resolve("results.jsonl"));
    assertThat(lines).filteredOn(line -> line.contains("\"data access\"")).hasSize(2);
    assertThat(lines)
        .filteredOn(line -> !line.contains("\"data access\""))
        .hasSize(12)
        .noneMatch(line -> line.contains("\"requests\":0,"))
        .allMatch(line -> line.contains("\"failed\":0,"));
    assertThat(folder.resolve("cart-interaction-time.svg")).isNotEmptyFile();
    assertThat(folder.resolve("cart-requests.svg")).isNotEmptyFile();
    assertThat(folder.resolve("index.html")).content().contains("T4", "The paper", "think time");
    assertNothingIsLeft();
  }

  @Test
  @Timeout(600) // A dozen processes start, one after the other.
  void servlet() throws IOException, InterruptedException {
    ServletBenchmark.Options options =
        new ServletBenchmark.Options(List.of(2), 1, Duration.ofMillis(100), 1, true, folder);
    ServletBenchmark.run(options, new PrintWriter(printed));
    assertThat(printed.toString())
        .contains("virtual threads", "1 busy loops", "processor us more than the local map");
    List<String> lines = Files.readAllLines(folder.resolve("results.jsonl"));
    assertThat(lines)
        .hasSize(2 * (ServletProcesses.hasRedis() ? 5 : 4))
        .noneMatch(line -> line.contains("\"requests\":0,"))
        .allMatch(line -> line.contains("\"failed\":0,"));
    assertThat(folder.resolve("index.html")).content().contains("Callers that wait", "Tomcat");
    assertNothingIsLeft();
  }

  @Test
  void collections() throws IOException, InterruptedException {
    CollectionsBenchmark.Options options =
        CollectionsBenchmark.Options.defaults()
            .withSizes(List.of(100, 1_000))
            .withRounds(1, Duration.ofMillis(10), Duration.ofMillis(10))
            .withNodes(1, Duration.ofMillis(100))
            .withFolder(folder);
    CollectionsBenchmark.Result result =
        CollectionsBenchmark.run(options, new PrintWriter(printed));
    assertThat(printed.toString())
        .contains("Tempest map / HashMap", "get / ConcurrentHashMap, 1,000 entries", "first put");
    assertThat(result.goals()).isGreaterThanOrEqualTo(14);
    assertThat(Files.readAllLines(folder.resolve("results.jsonl")))
        .hasSizeGreaterThanOrEqualTo(2 * 4 * 6 + 6 + 1 + 14)
        .noneMatch(line -> line.contains("\"operations\":0,"));
    assertThat(folder.resolve("collections-maps.svg")).isNotEmptyFile();
    assertThat(folder.resolve("collections-sorted-maps.svg")).isNotEmptyFile();
    assertNothingIsLeft();
  }

  @Test
  void overload() throws IOException, InterruptedException {
    OverloadBenchmark.Options options =
        OverloadBenchmark.Options.defaults()
            .withTimes(Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(2))
            .withAttack(2_000, 1)
            .withFolder(folder);
    OverloadBenchmark.Result result = OverloadBenchmark.run(options, new PrintWriter(printed));
    assertThat(printed.toString())
        .contains("attack", "acknowledged updates that the replicas lack");
    assertThat(result.outcomes())
        .extracting(OverloadBenchmark.Outcome::reconcile)
        .containsExactly("merge", "adopt");
    OverloadBenchmark.Outcome merged = result.outcomes().getFirst();
    assertThat(merged.lost()).hasSize(6).containsOnly(0L);
    assertThat(merged.acknowledged()).isPositive();
    assertThat(Files.readAllLines(folder.resolve("results.jsonl"))).hasSize(2 * (2 * 2 + 1));
    assertThat(folder.resolve("overload-stale.svg")).isNotEmptyFile();
    assertNothingIsLeft();
  }

  /** The simulator is the same whatever the machine does: here the numbers themselves count. */
  @Test
  void gossip() throws IOException {
    GossipBenchmark.Options options =
        GossipBenchmark.Options.defaults()
            .with(List.of(3, 30, 300), List.of(1_000, 100_000))
            .withFolder(folder);
    GossipBenchmark.Result result = GossipBenchmark.run(options, new PrintWriter(printed));
    assertThat(printed.toString()).contains("300", "100,000", "paper's set");
    assertThat(Files.readAllLines(folder.resolve("results.jsonl"))).hasSize(5);
    assertThat(folder.resolve("gossip-dissemination.svg")).isNotEmptyFile();
    assertThat(folder.resolve("gossip-history.svg")).isNotEmptyFile();
    assertThat(folder.resolve("index.html")).content().contains("T9", "at most 3", "100,000");

    // Ten times the replicas take some rounds more, and not ten times as many.
    assertThat(result.disseminations()).allMatch(each -> each.rounds() < 15);
    assertThat(result.disseminations()).allMatch(each -> each.messagesPerRound() <= 3);
    double fewBytes = result.talks().getFirst().bytesPerRound();
    assertThat(result.talks().getLast().bytesPerRound()).isLessThan(1.2 * fewBytes);
    assertThat(result.talks()).allMatch(each -> each.messagesPerRound() <= 3);
  }

  private void assertNothingIsLeft() {
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }
}

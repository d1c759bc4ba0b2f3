package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tempest.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Each benchmark once, as short as possible: that it runs and every request is answered, not how
 * fast.
 */
@Timeout(600)
class BenchmarksRunTest {
  @TempDir Path folder;

  private final StringWriter printed = new StringWriter();

  @AfterEach
  void noProcessIsLeft() {
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }

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
  void consensus() throws IOException {
    run("consensus --rounds 1 --seconds 0.1 --kills 1 --heap 64 --warm-up 0.02 --calm 0.01");
    assertThat(printed.toString())
        .contains("write / bare exchange", "jgroups-raft, at the leader", "kill -9 of the leader");
    assertThat(measured())
        .hasSize(3 + 2 * 10 + 2 + 4 + 2 * 2)
        .noneMatch(line -> line.contains("\"answered\":0,"));
    assertThat(measured()).filteredOn(line -> line.contains("\"killed\":")).hasSize(4);
    assertThat(measured()).filteredOn(line -> line.contains("\"leads\":true")).hasSize(2);
    assertThat(goals()).filteredOn(line -> line.contains("\"bound\"")).hasSize(10 + 2 * 2 + 2);
    assertThat(folder.resolve("consensus.svg")).isNotEmptyFile();
  }

  @Test
  void paxos() throws IOException {
    run(
        "paxos --rounds 1 --seconds 0.1 --far-seconds 0.3 --clients 1,2 --transaction-clients 1,2"
            + " --far-clients 2 --client-millis 3 --replica-millis 2 --warm-up 0.02");
    assertThat(measured())
        .hasSize(2 * (3 + 8) + 2 * (3 + 8))
        .noneMatch(line -> line.contains("\"answered\":0,"))
        .allMatch(line -> line.contains("\"failed\":0,"));
    assertThat(goals()).filteredOn(line -> line.contains("\"bound\"")).hasSize(1);
    assertThat(page()).contains("Z6", "Table VI.1", "replicas-far, mean, write / original", "1.51");
    assertThat(folder.resolve("paxos-near.svg")).isNotEmptyFile();
    assertThat(folder.resolve("paxos-clients-far-5.svg")).isNotEmptyFile();
  }

  @Test
  void ballots() throws IOException {
    run("ballots --place near --rounds 1 --seconds 0.1 --clients 1 --warm-up 0.02");
    assertThat(measured())
        .hasSize(1 + 3)
        .noneMatch(line -> line.contains("\"answered\":0,"))
        .allMatch(line -> line.contains("\"failed\":0,"));
    assertThat(goals()).filteredOn(line -> line.contains("\"bound\"")).hasSize(1);
    assertThat(page()).contains("Z5x", "Figures V.11", "fast, 3 servers / classic");
    assertThat(folder.resolve("ballots-near.svg")).isNotEmptyFile();
  }

  @Test
  void failover() throws IOException {
    run("failover --clients 1,20 --kills 1 --calm 0.01");
    assertThat(measured()).hasSize(2).allMatch(line -> line.contains("\"lastMillis\""));
    assertThat(page()).contains("Z34", "Table III.4", "20 clients / 1");
    assertThat(folder.resolve("failover.svg")).isNotEmptyFile();
  }

  @Test
  void primaryBackup() throws IOException {
    run("primary-backup --sizes 10,2000 --rounds 1 --seconds 0.1 --warm-up 0.02");
    assertThat(measured())
        .hasSize(2 * 4)
        .noneMatch(line -> line.contains("\"answered\":0,"))
        .allMatch(line -> line.contains("\"failed\":0,"));
    assertThat(page()).contains("Z3", "Tables III.1", "10 B, notification", "not measured");
    assertThat(folder.resolve("primary-backup.svg")).isNotEmptyFile();
  }

  @Test
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
  void join() throws IOException {
    run("join --entries 20000 --burst 20000 --before 2 --warm-up 0 --heap 512");
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
  void adaptive() throws IOException {
    run("adaptive --replicas 3 --servers 2 --virtual-seconds 1 --seconds 0.4");
    assertThat(measured()).hasSize(4 * 7 + 4 * 3 + 2 * 4 * 3);
    assertThat(measured()).filteredOn(line -> line.contains("\"discovery\"")).hasSize(7 + 3 + 6);
    assertThat(page()).contains("T8", "Fig. 8", "adaptive, k=2 / discovery", "largest payoff");
    assertThat(folder.resolve("adaptive-reads.svg")).isNotEmptyFile();
  }

  /** What is known beforehand: two updates at once are heard in all orders alike. */
  @Test
  void fastPaxos() throws IOException {
    Path wide = Files.writeString(folder.resolve("wide.txt"), "# ms\n20\n21.5\n\n90\n");
    run("fast-paxos --trials 5000 --wide " + wide);
    assertThat(measured()).hasSize(4 * 2 * (3 * 100 + 2 * 21));
    assertThat(page()).contains("Z5", "Figures V.3", "0.375", "0.656", "measured, t=3");
    assertThat(folder.resolve("fast-paxos-a-w-1.2-t-1.svg")).isNotEmptyFile();
    assertThat(folder.resolve("fast-paxos-collisions-measured.svg")).isNotEmptyFile();
    List<Double> analysed = numbers("learned");
    List<Double> simulated = numbers("simulated");
    for (int i = 0; i < analysed.size(); i++) {
      assertThat(analysed.get(i)).isCloseTo(simulated.get(i), within(0.03));
    }
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

  private void run(String benchmark) {
    CommandLine line = Main.commandLine();
    StringWriter errors = new StringWriter();
    line.setOut(new PrintWriter(printed, true));
    line.setErr(new PrintWriter(errors, true));
    List<String> words = new ArrayList<>(List.of(("bench " + benchmark).split(" ", -1)));
    words.addAll(List.of("--out", folder.toString()));
    assertThat(line.execute(words.toArray(String[]::new))).as(errors.toString()).isZero();
    assertThat(printed.toString()).contains("results: " + folder.resolve("index.html"));
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(folder.resolve("results.jsonl"));
  }

  private List<String> measured() throws IOException {
    return lines().stream().filter(line -> !line.contains("\"goal\":")).toList();
  }

  private List<String> goals() throws IOException {
    return lines().stream().filter(line -> line.contains("\"goal\":")).toList();
  }

  private List<Double> numbers(String field) throws IOException {
    return measured().stream()
        .filter(line -> line.contains("\"%s\":".formatted(field)))
        .map(line -> number(line, field))
        .toList();
  }

  private static double number(String line, String field) {
    String before = "\"%s\":".formatted(field);
    int start = line.indexOf(before) + before.length();
    return Double.parseDouble(line.substring(start).split("[,}]", 2)[0]);
  }

  private String page() throws IOException {
    return Files.readString(folder.resolve("index.html"));
  }
}

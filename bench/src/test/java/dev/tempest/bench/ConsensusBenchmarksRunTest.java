package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * As {@link BenchmarksRunTest}, of what is by consensus or by a primary. Most start dozens of
 * processes: too many beside all else that a build has to do.
 */
class ConsensusBenchmarksRunTest extends BenchmarkRuns {
  @Test
  @Tag("long")
  void consensus() throws IOException {
    run("consensus --rounds 1 --seconds 0.3 --kills 1 --heap 64 --warm-up 0 --calm 0.01");
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
  @Tag("long")
  void paxos() throws IOException {
    run(
        "paxos --rounds 1 --seconds 0.2 --far-seconds 0.3 --clients 1,2 --transaction-clients 1,2"
            + " --far-clients 2 --client-millis 3 --replica-millis 2 --warm-up 0");
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
  @Tag("long")
  void ballots() throws IOException {
    run("ballots --place near --rounds 1 --seconds 0.3 --clients 1 --warm-up 0");
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
  @Tag("long")
  void primaryBackup() throws IOException {
    run("primary-backup --sizes 10,2000 --rounds 1 --seconds 0.3 --warm-up 0");
    assertThat(measured())
        .hasSize(2 * 4)
        .noneMatch(line -> line.contains("\"answered\":0,"))
        .allMatch(line -> line.contains("\"failed\":0,"));
    assertThat(page()).contains("Z3", "Tables III.1", "10 B, notification", "not measured");
    assertThat(folder.resolve("primary-backup.svg")).isNotEmptyFile();
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
}

package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/** The experiments with services that take time, as short as possible. */
@Timeout(120)
class ServiceBenchmarksTest {
  @TempDir Path folder;

  private final StringWriter printed = new StringWriter();
  private final PrintWriter out = new PrintWriter(printed);

  @Test
  void servicesSimulatedAndMeasured() throws IOException, InterruptedException {
    ServicesBenchmark.run(tiny(ServicesBenchmark.defaults()).withReplicas(List.of(2, 3)), out);
    assertThat(lines())
        .hasSize(6 * 3)
        .allMatch(line -> line.contains("\"unanswered\":0,") || line.endsWith("\"unanswered\":0}"))
        .noneMatch(line -> line.contains("\"requests\":0,"));
    assertThat(lines()).filteredOn(line -> line.contains("\"measured\"")).hasSize(6);
    assertThat(printed.toString()).contains("CPU and I/O, large variance", "measured");
    assertThat(page()).contains("T6", "Fig. 6", "reads measured / simulated");
    assertThat(folder.resolve(ServicesBenchmark.READS_PICTURE)).isNotEmptyFile();
    assertNothingIsLeft();
  }

  @Test
  void compositeSimulatedAndMeasured() throws IOException, InterruptedException {
    CompositeBenchmark.run(tiny(CompositeBenchmark.defaults()).withServers(List.of(1)), out);
    assertThat(lines()).hasSize(4).allMatch(line -> line.contains("\"perRequest\":7,"));
    assertThat(page()).contains("T7", "Fig. 7", "mean of reads with 8 replicas / with 1");
    assertThat(folder.resolve(CompositeBenchmark.SIMULATED_PICTURE)).isNotEmptyFile();
    assertThat(folder.resolve(CompositeBenchmark.MEASURED_PICTURE)).isNotEmptyFile();
    assertNothingIsLeft();
  }

  @Test
  void adaptiveSimulatedAndMeasured() throws IOException, InterruptedException {
    AdaptiveBenchmark.run(
        tiny(AdaptiveBenchmark.defaults()).withReplicas(List.of(3)).withServers(List.of(2)), out);
    assertThat(lines()).hasSize(4 * 7 + 4 * 4 + 2 * 4 * 3);
    assertThat(lines()).filteredOn(line -> line.contains("\"discovery\"")).hasSize(7 + 4 + 6);
    assertThat(page()).contains("T8", "Fig. 8", "adaptive, k=2 / discovery", "largest payoff");
    assertThat(folder.resolve(AdaptiveBenchmark.READS_PICTURE)).isNotEmptyFile();
    assertNothingIsLeft();
  }

  /** Simulated numbers are compared between machines: they must not depend on them. */
  @Test
  void sameSeedSameLines() throws IOException, InterruptedException {
    ServiceOptions simulated =
        tiny(ServicesBenchmark.defaults()).withReplicas(List.of(3)).withServers(List.of());
    ServicesBenchmark.run(simulated, out);
    List<String> once = lines();
    ServicesBenchmark.run(simulated, out);
    assertThat(lines()).isEqualTo(once).hasSize(6);
    ServicesBenchmark.run(simulated.withSeed(2), out);
    assertThat(lines()).isNotEqualTo(once);
  }

  @Test
  void refusesWhatCannotBe() {
    ServiceOptions defaults = ServicesBenchmark.defaults();
    assertThatThrownBy(() -> defaults.withReplicas(List.of(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 1000");
    assertThatThrownBy(() -> defaults.withServers(List.of(17)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 16");
    assertThatThrownBy(() -> defaults.withTimes(Duration.ZERO, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private ServiceOptions tiny(ServiceOptions options) {
    return options.withTimes(Duration.ofSeconds(1), Duration.ofMillis(400)).withFolder(folder);
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(folder.resolve("results.jsonl"));
  }

  private String page() throws IOException {
    return Files.readString(folder.resolve(PaperPage.FILE));
  }

  private void assertNothingIsLeft() {
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }
}

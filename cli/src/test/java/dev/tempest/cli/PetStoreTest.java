package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.ServiceConfig;
import dev.tempest.config.file.NodeSettings;
import dev.tempest.examples.petstore.Order;
import dev.tempest.examples.petstore.OrderKey;
import dev.tempest.examples.petstore.Pet;
import dev.tempest.examples.petstore.PetStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import picocli.CommandLine;

@ExtendWith(UsualPortsTaken.class)
final class PetStoreTest {
  private static final Pet TABBY = new Pet("tabby", "A striped cat", 9_900);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Three real processes with seven services each, one of them killed and started again. */
  @Test
  void allReplicasOfSevenServicesEndEqual() {
    int exitCode = run("demo", "petstore", "--seconds", "5", "--shoppers", "4");

    assertThat(out.toString())
        .contains("server 2 killed (SIGKILL)")
        .contains("server 2 started again")
        .contains(PetStore.services().keySet())
        .contains("7 services, 3 replicas each: all equal, no pet missing")
        .satisfies(text -> assertThat(text.lines()).allMatch(each -> each.length() <= 80));
    assertThat(exitCode).isEqualTo(ExitCode.OK);
  }

  @Test
  void whatIsMissingIsNamed() {
    var well = comparison(Map.of("tabby", 8), Map.of("tabby", 8));

    assertThat(well.faults(List.of(TABBY), 10, 1)).isEmpty();
    assertThat(well.lines())
        .anyMatch(line -> line.matches(" +stock +1 entries +all replicas equal"));
    assertThat(well.faults(List.of(TABBY), 11, 2))
        .isEqualTo(
            List.of(
                "1 orders are noted of 2 sales", "tabby: 10 in stock and orders, 11 delivered"));
    assertThat(comparison(Map.of("tabby", 8), Map.of("tabby", 7)).faults(List.of(TABBY), 10, 1))
        .isEqualTo(List.of("the replicas of stock differ"));
  }

  @Test
  void helpFitsATerminalAndWrongOptionsAreUsageErrors() {
    assertThat(run("demo", "petstore", "--help")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .startsWith("Usage: tempest demo petstore")
        .contains("Exit codes:", "Example")
        .satisfies(help -> assertThat(help.lines()).allMatch(line -> line.length() <= 80));

    assertThat(run("demo", "petstore", "--shoppers", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("Choose 1 to 256 shoppers, 3 to 3600 seconds");
  }

  @Test
  void itsServerFileHostsAllSevenServices() {
    NodeSettings file = NodeSettings.read(Path.of("..", "examples", "petstore.yaml"));
    Map<String, String> hosted = new LinkedHashMap<>();
    for (ServiceConfig service : file.config().services()) {
      hosted.put(service.name(), service.className());
    }
    Map<String, String> wanted = new LinkedHashMap<>();
    PetStore.services().forEach((name, service) -> wanted.put(name, service.getName()));

    assertThat(hosted).hasSize(7).isEqualTo(wanted);
  }

  /** Two replicas: one order of two tabbies, and these stocks. */
  private static PetStoreComparison comparison(
      Map<String, Integer> one, Map<String, Integer> other) {
    Map<String, Object> orders =
        Map.of("orders", Map.of(new OrderKey("alice", 1), new Order(1, "tabby", 2, 19_800)));
    return new PetStoreComparison(
        Map.of(
            "orders", Map.of("a", orders, "b", orders),
            "stock", replicas(Map.of("counts", one), Map.of("counts", other))));
  }

  private static Map<String, Map<String, Object>> replicas(
      Map<String, Object> one, Map<String, Object> other) {
    Map<String, Map<String, Object>> replicas = new LinkedHashMap<>();
    replicas.put("a", one);
    replicas.put("b", other);
    return replicas;
  }

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }
}

package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the process of a server ends with, and when it does not end. */
final class ServerExitTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** For what nobody answers. */
  private static final Duration BRIEFLY = Duration.ofMillis(200);

  private final String address = "127.0.0.1:" + FreePorts.find(1).getFirst();
  @TempDir private Path folder = Path.of("");

  /** What a test does to a server with two services. */
  @FunctionalInterface
  private interface Ordeal {
    void befall(Process server, FrontEnd frontEnd);
  }

  @Test
  void toldToStopItSucceeds() throws Exception {
    assertThat(
            exitCodeAfter((server, frontEnd) -> {
              count(frontEnd, "first");
              server.toHandle().destroy();
            }))
        .isEqualTo(ExitCode.OK);
    assertThat(said("err")).doesNotContain("tempest: ");
    assertThat(said("out")).endsWith("stopped\n");
  }

  @Test
  void goesOnUntilABugHasStoppedTheLastOfItsServices() throws Exception {
    assertThat(
            exitCodeAfter((server, frontEnd) -> {
              count(frontEnd, "first");
              breakDown(frontEnd, "first");
              count(frontEnd, "second");
              breakDown(frontEnd, "second");
            }))
        .isEqualTo(ExitCode.BUG);
    assertThat(said("err"))
        .contains("The replica of first in this process stopped because of a bug")
        .contains("this thread executes another action on this state")
        .contains("tempest: all of its services have stopped: first, second (server " + address)
        .contains("). Do what its log says, and start it again");
  }

  @Test
  void aFullMemoryEndsIt() throws Exception {
    assertThat(
            exitCodeAfter((server, frontEnd) -> {
              count(frontEnd, "first");
              Fragile first = frontEnd.within(BRIEFLY, frontEnd.service("first", Fragile.class));
              long untilNanos = System.nanoTime() + PATIENCE.toNanos();
              // What a method takes is given back; what it keeps is not.
              while (server.isAlive() && System.nanoTime() - untilNanos < 0) {
                assertThat(frontEnd.outcome(first, Fragile::fillMemory))
                    .isNotInstanceOf(Outcome.Ok.class);
              }
            }))
        .isEqualTo(ExitCode.BUG);
    assertThat(said("err"))
        .contains("tempest: the event loop stopped because of java.lang.OutOfMemoryError");
  }

  /** All servers hold the same: they would end together. */
  @Test
  void aMemoryThatIsAllButFullRefusesUpdates() throws Exception {
    assertThat(
            exitCodeAfter((server, frontEnd) -> {
              Fragile first = frontEnd.service("first", Fragile.class);
              int kept = 0;
              Outcome<Integer> outcome = frontEnd.outcome(first, each -> each.keep(0));
              while (outcome instanceof Outcome.Ok) {
                kept++;
                int next = kept;
                outcome = frontEnd.outcome(first, each -> each.keep(next));
              }
              assertThat(outcome)
                  .isInstanceOfSatisfying(
                      Outcome.Unable.class,
                      unable -> {
                        assertThat(unable.reason()).isEqualTo(Outcome.Reason.OVERLOADED);
                        assertThat(unable.detail()).contains("larger -Xmx");
                      });
              assertThat(first.keeps(kept - 1)).isTrue();
              assertThat(first.keeps(kept)).isFalse();
              server.toHandle().destroy();
            }))
        .isEqualTo(ExitCode.OK);
    assertThat(said("err")).contains("The memory of this process is all but full");
  }

  /** Nobody has told it to stop. */
  @Test
  void isNoSuccessWhereAMethodHasEndedIt() throws Exception {
    assertThat(
            exitCodeAfter((server, frontEnd) -> {
              count(frontEnd, "first");
              Fragile first = frontEnd.within(BRIEFLY, frontEnd.service("first", Fragile.class));
              assertThat(frontEnd.outcome(first, Fragile::exit)).isNotInstanceOf(Outcome.Ok.class);
            }))
        .isEqualTo(ExitCode.BUG);
    assertThat(said("err"))
        .contains("tempest: " + Fragile.Service.class.getName() + ".exit (Fragile.java:")
        .contains("has ended this server by System.exit (server " + address);
  }

  private int exitCodeAfter(Ordeal ordeal) throws Exception {
    Process server = start();
    FrontEndConfig config =
        FrontEndConfig.builder(address).multicastPort(0).deadline(PATIENCE).build();
    try (FrontEnd frontEnd = FrontEnd.connect(config)) {
      ordeal.befall(server, frontEnd);
      assertThat(server.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .as("ended, after it said%n%s%n%s", said("out"), said("err"))
          .isTrue();
      return server.exitValue();
    } finally {
      server.destroyForcibly();
    }
  }

  private static void count(FrontEnd frontEnd, String service) {
    assertThat(frontEnd.service(service, Fragile.class).count()).isPositive();
  }

  private static void breakDown(FrontEnd frontEnd, String service) {
    Fragile fragile = frontEnd.within(BRIEFLY, frontEnd.service(service, Fragile.class));
    assertThat(frontEnd.outcome(fragile, Fragile::breakDown)).isNotInstanceOf(Outcome.Ok.class);
    assertThat(frontEnd.outcome(fragile, Fragile::count)).isInstanceOf(Outcome.Unknown.class);
  }

  private Process start() throws IOException {
    String type = Fragile.Service.class.getName();
    String service = "  - {name: %s, class: " + type + ", unchecked: [" + type + "]}";
    Path config =
        Files.writeString(
            folder.resolve("tempest.yaml"),
            String.join(
                "\n",
                "listen: " + address,
                "members: [" + address + "]",
                "multicast: off",
                "services:",
                service.formatted("first"),
                service.formatted("second"),
                ""));
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "server",
            "--config",
            config.toString());
    return new ProcessBuilder(command)
        .redirectOutput(folder.resolve("out").toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
  }

  private String said(String where) throws IOException {
    return Files.readString(folder.resolve(where));
  }
}

package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three servers are restarted one after the other with a new release of their service, and then
 * with the old one again, while clients write: no request fails, and nothing is lost.
 */
final class RollingUpgradeTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 1);
  private static final int SERVERS = 3;
  private static final int CLIENT_HOST = SERVERS + 1;
  private static final int HEAP_MEGABYTES = 256;

  /** Between two restarts. */
  private static final int WRITES = 200;

  private static final List<String> ADDRESSES =
      IntStream.rangeClosed(1, SERVERS).mapToObj(host -> Network.PREFIX + host + ":7400").toList();

  @TempDir private Path folder;
  private final List<HostProcess> servers = new ArrayList<>();
  private final List<HostProcess> all = new ArrayList<>();
  private int started;

  @Test
  void failsNoRequestAndLosesNothing() throws Exception {
    Needed.NAMESPACES.unless(Network.impossible());
    Path old = ServiceRelease.OLD.compile(folder);
    Path latest = ServiceRelease.NEW.compile(folder);
    for (int round = 1; round <= ROUNDS; round++) {
      try (Network network = Network.of(CLIENT_HOST)) {
        roll(network, old, latest);
      } catch (Exception | AssertionError failed) {
        all.forEach(each -> System.out.println("--- " + each + ":\n" + each.output()));
        throw new AssertionError("in round " + round, failed);
      }
      servers.clear();
      all.clear();
    }
  }

  private void roll(Network network, Path old, Path latest) throws Exception {
    for (int number = 0; number < SERVERS; number++) {
      servers.add(start(network, number, old));
    }
    for (HostProcess server : servers) {
      server.awaitReady();
    }
    HostProcess client = launch(network, CLIENT_HOST, AccountsClient.class, ADDRESSES);
    client.awaitReady();
    client.ask("write");
    for (int number = 0; number < SERVERS; number++) {
      awaitAcknowledged(client);
      replace(network, number, latest);
      client.ask("credits begin"); // Sooner than one should: the other servers lack it.
    }
    client.ask("credits end");
    for (int number = 0; number < SERVERS; number++) {
      awaitAcknowledged(client);
      replace(network, number, old);
    }
    String written = client.ask("rest");
    awaitSettled(client);
    assertThat(client.ask("wrong balances")).isEmpty();
    replace(network, 0, latest);
    assertThat(client.ask("wrong notes")).as("what only the new release knows").isEmpty();
    assertThat(all).noneMatch(each -> each.output().contains("not deterministic"));
    assertThat(all)
        .anyMatch(each ->
            each.output()
                .contains("This server is too old for service accounts: it has no method credit"));
    System.out.println("cluster tests: " + written + " through n, n+1, n and n+1");
  }

  /** Restarts a server with a release, while the client goes on. */
  private void replace(Network network, int number, Path release) throws Exception {
    servers.get(number).terminate();
    servers.set(number, start(network, number, release));
    servers.get(number).awaitReady();
  }

  private HostProcess start(Network network, int number, Path release) throws Exception {
    List<String> itselfAndAll =
        Stream.concat(Stream.of(release.toString(), ADDRESSES.get(number)), ADDRESSES.stream())
            .toList();
    return launch(network, number + 1, AccountsServer.class, itselfAndAll);
  }

  private HostProcess launch(Network network, int host, Class<?> program, List<String> arguments)
      throws Exception {
    String name = program.getSimpleName() + "." + ++started;
    String[] rest = arguments.toArray(String[]::new);
    HostProcess process =
        HostProcess.start(network, host, HEAP_MEGABYTES, program, name, folder, rest);
    all.add(process);
    return process;
  }

  private static void awaitAcknowledged(HostProcess client) throws Exception {
    long before = Long.parseLong(client.ask("acknowledged"));
    eventually(
        WRITES + " updates after " + before,
        () -> Long.parseLong(client.ask("acknowledged")) >= before + WRITES,
        () -> "only " + client.ask("acknowledged"));
  }

  private static void awaitSettled(HostProcess client) {
    eventually(
        "one state at all servers",
        () -> client.ask("settled").equals("settled"),
        () -> client.ask("settled"));
  }
}

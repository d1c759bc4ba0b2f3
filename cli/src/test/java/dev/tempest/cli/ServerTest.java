package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.config.CheckpointConfig.Log;
import dev.tempest.config.Consistency;
import dev.tempest.config.HostPort;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.examples.cart.ShoppingCart;
import dev.tempest.examples.cart.ShoppingCartService;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.Joined;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void itSaysWithWhatItCameBack() throws Exception {
    String listen = "127.0.0.1:" + FreePorts.find(1).getFirst();
    run(
        listen,
        "first",
        "cart: started with no state",
        () -> {
          add(listen);
          copy("first", "killed"); // What is there if the process is killed now.
        });
    run(listen, "killed", "cart: back with its log, 1 update", () -> {});
    run(listen, "killed", "cart: back with its checkpoint and its log, 1 update", () -> {});
  }

  @Test
  void itSaysFromWhomItTookWhat() {
    assertThat(Server.origin(new Joined("cart", "", "10.0.0.1:7400", 2)))
        .isEqualTo("state taken from 10.0.0.1:7400, 2 updates");
    assertThat(Server.origin(new Joined("cart", "its log", "10.0.0.1:7400", 2)))
        .isEqualTo("back with its log, and more taken from 10.0.0.1:7400, 2 updates");
    assertThat(Server.origin(new Joined("cart", "", null, 1)))
        .isEqualTo("begun with the others, 1 update");
  }

  private interface Work {
    void run() throws Exception;
  }

  private void run(String listen, String place, String says, Work work) throws Exception {
    var out = new ByteArrayOutputStream();
    NodeConfig config =
        NodeConfig.builder()
            .cluster("back")
            .listen(listen)
            .members(listen)
            .multicastPort(0)
            .checkpointFolder(folder.resolve(place).toString())
            .checkpointEvery(Duration.ofHours(1))
            .log(Log.DISK)
            .service(
                ServiceConfig.builder("cart", ShoppingCartService.class.getName())
                    .options(ServiceOptions.builder().consistency(Consistency.LINEARIZABLE).build())
                    .build())
            .build();
    try (ExecutorService thread = Executors.newSingleThreadExecutor();
        Server server =
            Server.start(
                config, Optional.empty(), new PrintStream(out, true, StandardCharsets.UTF_8))) {
      Future<?> serving = thread.submit(server::serve);
      while (!out.toString(StandardCharsets.UTF_8).contains("ready")) {
        assertThat(serving.isDone()).as("%s", out).isFalse();
        Thread.onSpinWait();
      }
      assertThat(out.toString(StandardCharsets.UTF_8).lines()).contains(says);
      work.run();
    }
  }

  @Test
  void oneThatWaitsForItsStateAnswersOperators() throws Exception {
    List<Integer> ports = FreePorts.find(3);
    String listen = "127.0.0.1:" + ports.get(0);
    HostPort place = new HostPort("127.0.0.1", ports.get(1));
    var out = new ByteArrayOutputStream();
    NodeConfig config =
        NodeConfig.builder()
            .cluster("waits-for-state")
            .listen(listen)
            .members(listen, "127.0.0.1:" + ports.get(2)) // Which never starts.
            .multicastPort(0)
            .service(
                ServiceConfig.builder("cart", ShoppingCartService.class.getName())
                    .options(ServiceOptions.builder().consistency(Consistency.LINEARIZABLE).build())
                    .build())
            .build();
    try (ExecutorService thread = Executors.newSingleThreadExecutor();
        Server server =
            Server.start(
                config,
                Optional.of(new Server.Http(place, Optional.empty())),
                new PrintStream(out, true, StandardCharsets.UTF_8))) {
      Future<?> serving = thread.submit(server::serve);
      while (!out.toString(StandardCharsets.UTF_8).contains("http: ")) {
        assertThat(serving.isDone()).as("%s", out).isFalse();
        Thread.onSpinWait();
      }

      assertThat(status(place, "/health/live")).isEqualTo(200);
      assertThat(status(place, "/health/ready")).isEqualTo(503);
      assertThat(status(place, "/metrics")).isEqualTo(200);
      assertThat(status(place, "/services")).isEqualTo(503);
      assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("ready\n");
    }
  }

  @Test
  void aPortOfHttpThatIsTakenIsNamed() throws Exception {
    String listen = "127.0.0.1:" + FreePorts.find(1).getFirst();
    NodeConfig config =
        NodeConfig.builder().cluster("taken").listen(listen).multicastPort(0).build();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Server server =
            Server.start(
                config,
                Optional.of(
                    new Server.Http(
                        new HostPort("127.0.0.1", taken.getLocalPort()), Optional.empty())),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8))) {
      assertThatThrownBy(server::serve)
          .isInstanceOf(CommandException.class)
          .hasMessage(
              "port %1$d for HTTP is taken on 127.0.0.1 (http: 127.0.0.1:%1$d). Set http in"
                  + " tempest.yaml, or TEMPEST_HTTP",
              taken.getLocalPort());
    }
  }

  private static int status(HostPort place, String path) throws IOException {
    var connection =
        (HttpURLConnection) URI.create("http://" + place + path).toURL().openConnection();
    try {
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }

  private static void add(String listen) {
    try (FrontEnd frontEnd =
        FrontEnd.connect(FrontEndConfig.builder(listen).cluster("back").multicastPort(0).build())) {
      frontEnd.service("cart", ShoppingCart.class).add("ann", "tea", 1);
    }
  }

  private void copy(String from, String to) throws IOException {
    Files.createDirectory(folder.resolve(to));
    String log = "cart.1.log";
    Files.copy(folder.resolve(from).resolve(log), folder.resolve(to).resolve(log));
  }

  @Test
  void oneThatIsClosedWhileItJoinsServesNobody() throws InterruptedException {
    var out = new ByteArrayOutputStream();
    NodeConfig config =
        NodeConfig.builder()
            .cluster("closed-while-joining")
            .listen("127.0.0.1:" + FreePorts.find(1).getFirst())
            .multicastPort(0)
            .loopback(false)
            .build();
    Server server =
        Server.start(config, Optional.empty(), new PrintStream(out, true, StandardCharsets.UTF_8));
    server.close();
    server.serve();

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("stopped")
        .doesNotContain("without state", "ready");
  }
}

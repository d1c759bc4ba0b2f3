package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.config.HostPort;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.examples.cart.ShoppingCart;
import dev.tempest.examples.cart.ShoppingCartService;
import dev.tempest.runtime.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What README and documentation ask with curl is answered as the comment behind it says. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CurlTest {
  private static final String SHOWN = "127.0.0.1:8080";

  private static final ExecutorService THREAD = Executors.newSingleThreadExecutor();
  private static final List<Integer> PORTS = FreePorts.find(2);
  private static final String LISTEN = "127.0.0.1:" + PORTS.get(0);
  private static final HostPort HTTP = new HostPort("127.0.0.1", PORTS.get(1));

  private static Server server;

  @BeforeAll
  static void start() {
    Assumptions.assumeTrue(run("curl --version").isPresent(), "curl is not installed");
    var out = new ByteArrayOutputStream();
    NodeConfig config =
        NodeConfig.builder()
            .cluster("curl-test")
            .listen(LISTEN)
            .multicastPort(0)
            .loopback(false)
            .service(ServiceConfig.builder("cart", ShoppingCartService.class.getName()).build())
            .build();
    server =
        Server.start(
            config,
            Optional.of(new Server.Http(HTTP, Optional.empty())),
            new PrintStream(out, true, StandardCharsets.UTF_8));
    Future<?> serving = THREAD.submit(server::serve);
    while (!out.toString(StandardCharsets.UTF_8).contains("ready")) {
      assertThat(serving.isDone()).as("%s", out).isFalse();
      Thread.onSpinWait();
    }
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("http: http://" + HTTP);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    THREAD.shutdown();
  }

  @Test
  void readme() {
    try (FrontEnd frontEnd =
        FrontEnd.connect(
            FrontEndConfig.builder(LISTEN).cluster("curl-test").multicastPort(0).build())) {
      frontEnd.service("cart", ShoppingCart.class).add("alice", "apple", 3);
    }
    check("README.md", 2);
  }

  @Test
  void howTo() {
    check("docs/how-to/http.md", 3);
  }

  private static void check(String page, int count) {
    List<String> commands =
        DocPage.of(page).blocks("sh").stream()
            .flatMap(String::lines)
            .filter(line -> line.startsWith("curl "))
            .toList();
    assertThat(commands).hasSize(count);
    for (String command : commands) {
      String[] parts = command.replace(SHOWN, HTTP.toString()).split(" +# ", 2);
      assertThat(run(parts[0].replaceFirst("curl ", "curl -sS "))).as(command).hasValue(parts[1]);
    }
  }

  /** What a command prints; nothing if it fails. */
  private static Optional<String> run(String command) {
    try {
      Process process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
      String printed =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? Optional.of(printed) : Optional.empty();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

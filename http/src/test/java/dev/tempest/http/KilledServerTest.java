package dev.tempest.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server is killed while it answers; the request is repeated at another one. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class KilledServerTest {
  private static final String CLUSTER = "killed-server-test";
  private static final String KEY = "Idempotency-Key";

  @Test
  void aRequestIsExecutedOnceThoughItsServerIsKilled(@TempDir Path folder) throws Exception {
    try (Node node = Shops.join(CLUSTER);
        HttpServer server = HttpServer.builder(node).listenAnywhere().start();
        Caller survivor = new Caller(server.url())) {
      Process process = startOther(node.members().getFirst(), folder);
      BufferedReader out = process.inputReader();
      try (Caller killed = new Caller(out.readLine())) {
        CompletableFuture<?> answer = killed.posted("/services/shop/hold", "", KEY, "killed");
        assertThat(out.readLine()).isEqualTo("held");
        process.destroyForcibly().waitFor();
        assertThat(answer.handle((value, failed) -> failed).get()).isNotNull();
      }

      assertThat(survivor.post("/services/shop/hold", "", KEY, "killed").statusCode())
          .isEqualTo(204);
      assertThat(survivor.post("/services/shop/hold", "", KEY, "killed").statusCode())
          .isEqualTo(204);
      assertThat(survivor.get("/services/shop/count?item=held").body()).isEqualTo("1");
    }
  }

  private static Process startOther(String seed, Path folder) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Djava.io.tmpdir=" + folder,
            "-cp",
            System.getProperty("java.class.path"),
            KilledServerTest.class.getName(),
            seed)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** The server that is killed: a method waits there for ever. */
  public static void main(String[] arguments) throws InterruptedException {
    Node node = Shops.join(CLUSTER, arguments[0]);
    HttpServer server = HttpServer.builder(node).listenAnywhere().start();
    Shops.hold();
    System.out.println(server.url());
    Shops.awaitHeld();
    System.out.println("held");
  }
}

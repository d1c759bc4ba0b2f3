package dev.tempest.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tokens of a cluster that is not ours: what they say will never be seen. */
@Timeout(60)
final class SeenTest {
  private static final int WAITING = 50;
  private static final int MORE = 10;

  private final String cluster = "seen-" + ProcessHandle.current().pid();

  private String tokenFromElsewhere() {
    try (Node elsewhere = join("-elsewhere")) {
      elsewhere.<String, String>map("m", String.class, String.class).put("k", "v");
      return Long.toString(System.currentTimeMillis(), Character.MAX_RADIX)
          + "."
          + elsewhere.handle();
    }
  }

  private Node join(String suffix) {
    return Tempest.join(NodeConfig.builder().cluster(cluster + suffix).listen("127.0.0.1").build());
  }

  @Test
  void threadsThatWaitAreFewAndOfManyTokensOneWaits() throws Exception {
    String token = tokenFromElsewhere();
    try (Node node = join("");
        Sessions sessions =
            Sessions.of(node, SessionsConfig.builder().seenWithin(Duration.ofMinutes(5)).build());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch refused = new CountDownLatch(MORE);
      for (int i = 0; i < WAITING + MORE; i++) {
        threads.execute(() -> awaits(sessions, token, refused));
      }
      try {
        refused.await();
      } finally {
        threads.shutdownNow();
      }
      assertThat(sessions.counts().unseen()).isEqualTo(MORE);
      assertThat(sessions.counts().waits()).isEqualTo(WAITING + MORE);
      assertThat(sessions.counts().malformed()).isEqualTo(WAITING + MORE);
    }
  }

  private static void awaits(Sessions sessions, String token, CountDownLatch refused) {
    try {
      if (!sessions.awaitSeen(List.of(token, token, "x"))) {
        refused.countDown();
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }
}

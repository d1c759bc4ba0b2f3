package dev.tempest.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    return Tempest.join(
        NodeConfig.builder().cluster(cluster + suffix).listen("127.0.0.1").build());
  }

  @Test
  void threadsThatWaitAreFewAndOfManyTokensOneWaits() throws Exception {
    String token = tokenFromElsewhere();
    try (Node node = join("");
        Sessions sessions =
            Sessions.of(
                node, SessionsConfig.builder().seenWithin(Duration.ofMinutes(5)).build());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> answers = new ArrayList<>();
      for (int i = 0; i < WAITING + MORE; i++) {
        answers.add(threads.submit(() -> sessions.awaitSeen(List.of(token, token, "x"))));
      }
      while (sessions.counts().unseen() < MORE) {
        Thread.onSpinWait();
      }
      assertThat(answers).filteredOn(each -> !each.isDone()).hasSizeGreaterThanOrEqualTo(WAITING);
      assertThat(sessions.counts().waits()).isEqualTo(WAITING + MORE);
      assertThat(sessions.counts().malformed()).isEqualTo(WAITING + MORE);
      threads.shutdownNow();
    }
  }
}

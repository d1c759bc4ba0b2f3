package dev.tempest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.FrontEnd;
import dev.tempest.Node;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

final class KeysTest {
  private static final int KEYS_MAX = 10;

  private static final Node NODE = Shops.join("keys-test");

  private Instant now = Instant.now();
  private final InstantSource clock = () -> now;
  private final Keys keys = new Keys(NODE, clock, KEYS_MAX);

  @AfterAll
  static void stop() {
    NODE.close();
  }

  @Test
  void aKeyIsForOneRequest() {
    use("one", "path", "body");
    use("one", "path", "body");

    assertThatThrownBy(() -> use("one", "path", "other")).satisfies(refused(422));
    assertThatThrownBy(() -> use("one", "pathb", "ody")).satisfies(refused(422));
  }

  @Test
  void whatMattersIsTheRequestThatABodyBecomes() {
    byte[] body = {1};
    byte[] sameInOtherWords = {2};
    keys.use("named", "request", body);
    keys.use("named", "request", sameInOtherWords);

    assertThatThrownBy(() -> keys.use("named", "request filled in otherwise", body))
        .satisfies(refused(422))
        .hasMessageContaining("not executed again");
  }

  @Test
  void aKeyIsRefusedOnceItsAnswerMayBeForgotten() {
    use("old", "path", "body");
    now = now.plus(FrontEnd.ONCE_FOR);
    use("old", "path", "body");
    now = now.plus(Duration.ofMillis(1));

    assertThatThrownBy(() -> use("old", "path", "body")).satisfies(refused(410));
    assertThatThrownBy(() -> use("old", "path", "other")).satisfies(refused(422));
  }

  @Test
  void theyHaveALimit() {
    int taken = NODE.map(Keys.COLLECTION, String.class, KeyUse.class).size();
    for (int i = taken; i < KEYS_MAX; i++) {
      use("key-" + i, "path", "body");
    }

    assertThatThrownBy(() -> use("one-more", "path", "body")).satisfies(refused(503));
    use("key-" + (KEYS_MAX - 1), "path", "body");
    NODE.map(Keys.COLLECTION, String.class, KeyUse.class).clear();
  }

  private void use(String key, String... request) {
    byte[][] parts = new byte[request.length][];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = request[i].getBytes(StandardCharsets.UTF_8);
    }
    keys.use(key, key + List.of(request), parts);
  }

  private static Consumer<Throwable> refused(int status) {
    return thrown ->
        assertThat(thrown)
            .isInstanceOfSatisfying(
                Problem.class, problem -> assertThat(problem.status()).isEqualTo(status));
  }
}

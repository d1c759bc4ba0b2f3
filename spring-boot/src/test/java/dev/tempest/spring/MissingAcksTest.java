package dev.tempest.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.sessions.Sessions;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One instance, whose sessions two are to have. */
@Timeout(60)
@Execution(ExecutionMode.SAME_THREAD)
final class MissingAcksTest {
  private static Instance alone;

  private final Client client = new Client();

  @BeforeAll
  static void start() {
    alone = start("on-save");
  }

  private static Instance start(String flushMode) {
    return Instance.start(
        "alone-" + flushMode + "-" + ProcessHandle.current().pid(),
        "--tempest.sessions.acks=2",
        "--tempest.sessions.flush-mode=" + flushMode,
        "--tempest.deadline=200ms");
  }

  @AfterAll
  static void stop() {
    alone.close();
  }

  private void assertRefused(String path) throws IOException {
    assertRefused(path, alone);
  }

  private void assertRefused(String path, Instance instance) throws IOException {
    Client.Answer answer = client.put(path, instance.port());
    assertThat(answer.status()).as(answer.body()).isEqualTo(503);
    assertThat(answer.values("Retry-After")).containsExactly("1");
    assertThat(answer.values("Location")).isEmpty();
    assertThat(answer.body()).isEmpty();
  }

  /** However it answers, and with the session that it has begun. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "void",
        "record",
        "large",
        "string",
        "callable",
        "raw",
        "stream",
        "redirect",
        "error",
        "fail",
        "handled"
      })
  void aHandlerWhoseSessionTooFewHaveIsToBeTriedAgain(String handler) throws IOException {
    Sessions sessions = alone.context().getBean(Sessions.class);
    int before = sessions.size();
    long unsaved = sessions.counts().unsaved();
    assertRefused("/note/" + handler);
    assertThat(sessions.counts().unsaved()).isGreaterThan(unsaved);
    assertThat(client.get("/note", alone.port()).body()).isEqualTo("set");
    assertRefused("/note/" + handler);
    assertThat(sessions.size()).isEqualTo(before + 1);
  }

  @Test
  void soItIsWhereEachChangeIsSavedAtOnce() throws IOException {
    try (Instance immediate = start("immediate")) {
      assertRefused("/note/string", immediate);
      assertThat(client.get("/note", immediate.port()).body()).isEqualTo("set");
      assertRefused("/note/string", immediate); // Also of a session that has begun before.
      assertRefused("/note/handled", immediate);
    }
  }

  /** Each wait is as long as a deadline: one for what is refused, and one for all the rest. */
  @Test
  void aRequestThatIsRefusedWaitsForNoFurtherChange() throws IOException {
    try (Instance immediate = start("immediate")) {
      assertRefused("/note/string", immediate);
      Sessions sessions = immediate.context().getBean(Sessions.class);
      long unsaved = sessions.counts().unsaved();
      assertRefused("/note/several", immediate);
      assertThat(sessions.counts().unsaved() - unsaved).isBetween(1L, 2L);
      assertThat(client.get("/note", immediate.port()).body()).isEqualTo("last");
    }
  }

  /** It has ended here, and another try finds that. */
  @Test
  void anEndThatTooFewHaveIsToBeTriedAgain() throws IOException {
    assertRefused("/note/string");
    Sessions sessions = alone.context().getBean(Sessions.class);
    int before = sessions.size();
    assertRefused("/note/logout");
    assertThat(sessions.size()).isEqualTo(before - 1);
    assertThat(client.get("/note", alone.port()).body()).isEqualTo("none");
  }

  @Test
  void whatComesOfACollectionOfTheApplicationIsItsOwn() throws IOException {
    assertRefused("/note/string");
    assertThat(client.put("/note/own", alone.port()).status()).isEqualTo(500);
  }

  @Test
  void theClientLearnsAnIdThatHasChanged() throws IOException {
    assertRefused("/note/string");
    assertRefused("/note/login");
    assertThat(client.get("/note", alone.port()).body()).isEqualTo("set");
  }
}

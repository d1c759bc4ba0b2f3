package dev.tempest.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.MissingAcksException;
import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Asynchronous: each process writes at once, and clients carry what they have seen. */
final class SessionsByTimeTest extends SessionsSuite {
  private static final NodeConfig CONFIG =
      NodeConfig.builder()
          .cluster("sessions-" + ProcessHandle.current().pid())
          .listen("127.0.0.1")
          .build();

  private static Node oneNode;
  private static Node otherNode;

  @BeforeAll
  static void join() {
    oneNode = Tempest.join(CONFIG);
    otherNode = Tempest.join(CONFIG);
  }

  @AfterAll
  static void leave() {
    oneNode.close();
    otherNode.close();
  }

  @Override
  Node oneNode() {
    return oneNode;
  }

  @Override
  Node otherNode() {
    return otherNode;
  }

  /** Without such a token a request to another process may come before what it depends on. */
  @Test
  void aClientReadsItsOwnWritesAtAnyProcess() throws InterruptedException {
    SessionsConfig config =
        SessionsConfig.builder().name("own").seenWithin(Duration.ofSeconds(30)).build();
    try (Sessions one = Sessions.of(oneNode, config);
        Sessions other = Sessions.of(otherNode, config)) {
      Session session = one.create();
      session.save();
      String id = session.id();
      Sessions here = one;
      for (int i = 0; i < 2_000; i++) {
        Session request = here.find(id).orElseThrow();
        if (i > 0) {
          assertThat(request.get("count")).isEqualTo(i - 1);
        }
        request.set("count", i);
        request.save();
        String seen = here.seen(List.of());
        here = here == one ? other : one;
        assertThat(here.awaitSeen(List.of(seen))).isTrue();
      }
    }
  }

  /** It has ended here, and so here alone can be told. */
  @Test
  void anEndThatTooFewAreKnownToHaveIsToldAllTheSame() {
    Session session = saved("user", "alice");
    open(config -> config.acks(3)); // There are two.
    listen();
    Session ending = atOne(session.id());
    assertMissingAcks(ending::invalidate);
    assertThat(ends).containsExactly(SessionEnd.INVALIDATED);
    assertThat(one.find(session.id())).isEmpty();
  }

  /** It is saved here: once more would undo what others do meanwhile. */
  @Test
  void whatTooFewAreKnownToHaveIsSavedAndToldOnce() {
    open(config -> config.acks(3)); // There are two.
    List<String> created = new ArrayList<>();
    one.listen(
        new SessionListener() {
          @Override
          public void created(Session session) {
            created.add(session.id());
          }

          @Override
          public void ended(Session session, SessionEnd why) {
            // Only beginnings count.
          }
        });
    Session session = one.create();
    session.set("count", 1);
    assertMissingAcks(session::save);
    assertThat(created).containsExactly(session.id());
    assertThat(session.isNew()).isFalse();
    Session another = atOne(session.id());
    another.set("count", 2);
    assertMissingAcks(another::save);
    assertThat(session.save()).isTrue();
    assertThat(atOne(session.id()).get("count")).isEqualTo(2);
    assertThat(one.counts().created()).isEqualTo(1);
    assertMissingAcks(another::invalidate);
    assertThat(session.save()).isFalse();
    assertThat(one.find(session.id())).isEmpty();
  }

  private static void assertMissingAcks(ThrowingCallable call) {
    Thread.currentThread().interrupt(); // Does not wait until it is late.
    assertThatThrownBy(call).isInstanceOf(MissingAcksException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}

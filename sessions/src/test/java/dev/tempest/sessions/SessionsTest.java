package dev.tempest.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two processes that have the same sessions. */
@Timeout(60)
final class SessionsTest {
  private static final NodeConfig CONFIG =
      NodeConfig.builder()
          .cluster("sessions-" + ProcessHandle.current().pid())
          .listen("127.0.0.1")
          .build();

  private final Node oneNode = Tempest.join(CONFIG);
  private final Node otherNode = Tempest.join(CONFIG);
  private final Sessions one = sessions(oneNode);
  private final Sessions other = sessions(otherNode);
  private final List<SessionEnd> ends = new CopyOnWriteArrayList<>();

  private static Sessions sessions(Node node) {
    return Sessions.of(
        node,
        SessionsConfig.builder().maxInactive(Duration.ofSeconds(2)).attributeMaxBytes(500).build());
  }

  @AfterEach
  void leave() {
    one.close();
    other.close();
    oneNode.close();
    otherNode.close();
  }

  private static void eventually(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private Session atOther(String id) {
    eventually(() -> other.find(id).isPresent());
    return other.find(id).orElseThrow();
  }

  @Test
  void whatOneSavesTheOtherReads() {
    Session session = one.create();
    session.set("user", "alice");
    session.save();
    eventually(() -> "alice".equals(atOther(session.id()).get("user")));
    assertThat(atOther(session.id()).names()).containsExactly("user");
  }

  /** spring-projects/spring-session#311, #1471. */
  @Test
  void concurrentRequestsLoseNoAttributeOfEachOther() {
    Session here = one.create();
    Session there = atOther(here.id());
    here.set("a", 1);
    there.set("b", 2);
    here.save();
    there.save();
    eventually(() -> atOther(here.id()).names().size() == 2);
    eventually(() -> one.find(here.id()).orElseThrow().names().size() == 2);
    assertThat(one.find(here.id()).orElseThrow().get("b")).isEqualTo(2);
  }

  @Test
  void anotherIdKeepsEverything() {
    Session session = one.create();
    session.set("user", "alice");
    session.save();
    String before = session.id();
    String after = session.changeId();
    assertThat(one.find(before)).isEmpty();
    assertThat(one.find(after).orElseThrow().get("user")).isEqualTo("alice");
    assertThat(after).isNotEqualTo(before);
  }

  @Test
  void aSessionIsInvalidatedOnce() {
    one.listen(new Ends());
    other.listen(new Ends());
    Session session = one.create();
    session.set("user", "alice");
    session.save();
    assertThat(session.invalidate()).isTrue();
    assertThat(session.invalidate()).isFalse();
    assertThat(one.find(session.id())).isEmpty();
    assertThat(ends).containsExactly(SessionEnd.INVALIDATED);
    eventually(() -> other.find(session.id()).isEmpty());
    session.save();
    assertThat(one.find(session.id())).isEmpty();
  }

  @Test
  void aSessionExpiresOnce() {
    one.listen(new Ends());
    other.listen(new Ends());
    Session session = one.create();
    eventually(() -> !ends.isEmpty());
    assertThat(one.find(session.id())).isEmpty();
    eventually(() -> other.find(session.id()).isEmpty());
    assertThat(ends).containsExactly(SessionEnd.EXPIRED);
  }

  @Test
  void whatIsTooLargeIsRefused() {
    Session session = one.create();
    assertThatThrownBy(() -> session.set("image", new byte[1_000]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the attribute image takes 1,027 bytes, and may take 500");
  }

  /** Of all sessions, wherever they end. */
  private final class Ends implements SessionListener {
    @Override
    public void created(Session session) {
      // Only ends count.
    }

    @Override
    public void ended(Session session, SessionEnd why) {
      ends.add(why);
    }
  }
}

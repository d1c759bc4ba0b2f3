package dev.tempest.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** That have the same sessions; each test has its own. */
@Timeout(60)
abstract class TwoProcesses {
  final List<SessionEnd> ends = new CopyOnWriteArrayList<>();
  final List<Object> attributesAtEnd = new CopyOnWriteArrayList<>();
  final List<Duration> timesAtEnd = new CopyOnWriteArrayList<>();
  final List<Instant> accessedAtEnd = new CopyOnWriteArrayList<>();
  private final List<Sessions> opened = new ArrayList<>();
  String name = "";
  Sessions one;
  Sessions other;

  abstract Node oneNode();

  abstract Node otherNode();

  @BeforeEach
  void open(TestInfo test) {
    name = "s" + Integer.toHexString(test.getDisplayName().hashCode());
    open(config -> config);
  }

  final void open(UnaryOperator<SessionsConfig.Builder> further) {
    close();
    one = sessions(oneNode(), further);
    other = sessions(otherNode(), further);
  }

  private Sessions sessions(Node node, UnaryOperator<SessionsConfig.Builder> further) {
    Sessions sessions =
        Sessions.of(node, further.apply(SessionsConfig.builder().name(name)).build());
    opened.add(sessions);
    return sessions;
  }

  @AfterEach
  void close() {
    opened.forEach(Sessions::close);
    opened.clear();
  }

  static void eventually(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
      if (Thread.interrupted()) {
        throw new AssertionError("not in time");
      }
    }
  }

  final Session atOther(String id) {
    eventually(() -> other.find(id).isPresent());
    return other.find(id).orElseThrow();
  }

  final Session atOne(String id) {
    return one.find(id).orElseThrow();
  }

  final Session saved(String attribute, Object value) {
    Session session = one.create();
    session.set(attribute, value);
    assertThat(session.save()).isTrue();
    return session;
  }

  final void listen() {
    one.listen(new Ends());
    other.listen(new Ends());
  }

  /** Of all sessions, wherever they end. */
  private final class Ends implements SessionListener {
    @Override
    public void created(Session session) {
      // Only ends count.
    }

    @Override
    public void ended(Session session, SessionEnd why) {
      attributesAtEnd.add(String.valueOf(session.get("user")));
      timesAtEnd.add(session.maxInactive());
      accessedAtEnd.add(session.accessed());
      ends.add(why);
    }
  }
}

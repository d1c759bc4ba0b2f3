package dev.tempest.sessions.spring;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.SessionsConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.springframework.session.events.AbstractSessionEvent;

/** Two processes of one application, with sessions of their own for each test. */
@Timeout(60)
abstract class TwoInstances {
  private static final NodeConfig CONFIG =
      NodeConfig.builder()
          .cluster("sessions-spring-" + ProcessHandle.current().pid())
          .listen("127.0.0.1")
          .build();

  /** For all tests: they end with the process. */
  private static final Node ONE_NODE = Tempest.join(CONFIG);

  private static final Node OTHER_NODE = Tempest.join(CONFIG);

  private static final AtomicInteger TESTS = new AtomicInteger();

  /** Of the whole cluster. */
  final List<AbstractSessionEvent> events = new CopyOnWriteArrayList<>();

  private final List<Sessions> opened = new ArrayList<>();
  private String name = "";
  TempestSessionRepository one;
  TempestSessionRepository other;

  @BeforeEach
  void open() {
    name = "sessions-" + TESTS.incrementAndGet();
    open(config -> config);
  }

  /** Once more, with another configuration. */
  final void open(UnaryOperator<SessionsConfig.Builder> further) {
    close();
    one = repository(ONE_NODE, further);
    other = repository(OTHER_NODE, further);
  }

  private TempestSessionRepository repository(
      Node node, UnaryOperator<SessionsConfig.Builder> further) {
    Sessions sessions =
        Sessions.of(node, further.apply(SessionsConfig.builder().name(name)).build());
    opened.add(sessions);
    return new TempestSessionRepository(
        sessions, event -> events.add((AbstractSessionEvent) event));
  }

  /** Of the two processes, in their order. */
  final List<Sessions> sessions() {
    return opened;
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

  final TempestSession atOne(String id) {
    return Objects.requireNonNull(one.findById(id));
  }

  final TempestSession atOther(String id) {
    eventually(() -> other.findById(id) != null);
    return Objects.requireNonNull(other.findById(id));
  }

  final TempestSession saved(String name, Object value) {
    TempestSession session = one.createSession();
    session.setAttribute(name, value);
    one.save(session);
    return session;
  }
}

package dev.tempest.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.ConfigException;
import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.servlet.SessionCookie;
import dev.tempest.sessions.spring.TempestSession;
import dev.tempest.sessions.spring.TempestSessionRepository;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.session.autoconfigure.SessionAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.session.MapSessionRepository;
import org.springframework.session.SessionRepository;
import org.springframework.session.web.http.SessionRepositoryFilter;

/** When sessions are shared, and as which properties. */
@Timeout(60)
final class SessionConditionsTest {
  private final WebApplicationContextRunner application =
      new WebApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  TempestAutoConfiguration.class,
                  TempestSessionAutoConfiguration.class,
                  SessionAutoConfiguration.class))
          .withPropertyValues(
              "tempest.cluster=conditions-" + ProcessHandle.current().pid(),
              "tempest.listen=127.0.0.1");

  @Test
  void propertiesSayHowTheyAre() {
    application
        .withPropertyValues(
            "spring.session.timeout=7m",
            "tempest.sessions.name=mine",
            "tempest.sessions.flush-mode=immediate",
            "tempest.sessions.save-mode=on-get-attribute",
            "tempest.sessions.sessions-max=1")
        .run(context -> {
          assertThat(context).hasSingleBean(SessionRepositoryFilter.class);
          TempestSessionRepository repository = context.getBean(TempestSessionRepository.class);
          TempestSession session = repository.createSession();
          assertThat(session.getMaxInactiveInterval()).isEqualTo(Duration.ofMinutes(7));
          Map<String, Integer> cart = new HashMap<>();
          session.setAttribute("cart", cart);
          cart.put("apple", 3);
          repository.save(session);
          TempestSession found = repository.findById(session.getId());
          assertThat(found.<Map<String, Integer>>getAttribute("cart")).containsEntry("apple", 3);
          org.assertj.core.api.Assertions.assertThatThrownBy(repository::createSession)
              .hasMessageContaining("there are 1 sessions, and may be no more");
          assertThat(
                  context
                      .getBean(dev.tempest.Node.class)
                      .<String, java.util.UUID>map("mine", String.class, java.util.UUID.class))
              .containsOnlyKeys(session.getId());
        });
  }

  @Test
  void whereTheNodeHasMetersThatIsAmongThemAndNotThereTwice() {
    application
        .withConfiguration(AutoConfigurations.of(TempestOperationsAutoConfiguration.class))
        .withBean(SimpleMeterRegistry.class)
        .run(context -> {
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          context.getBeanProvider(MeterBinder.class).forEach(each -> each.bindTo(registry));
          assertThat(context).doesNotHaveBean(SessionMetrics.class);
          assertThat(counted(registry, "created")).isZero();
        });
  }

  @Test
  void whatHappensToThemIsAMeter() {
    application
        .withBean(SimpleMeterRegistry.class)
        .run(context -> {
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          context.getBean(SessionMetrics.class).bindTo(registry);
          TempestSessionRepository repository = context.getBean(TempestSessionRepository.class);
          repository.save(repository.createSession());
          assertThat(counted(registry, "created")).isEqualTo(1);
          assertThat(counted(registry, "refused")).isZero();
        });
  }

  private static double counted(MeterRegistry registry, String kind) {
    return registry.get("tempest.sessions").tag("kind", kind).functionCounter().count();
  }

  @ParameterizedTest
  @CsvSource({
    "sessions-max=0, sessionsMax",
    "session-max-bytes=67108864, sessionMaxBytes",
    "session-max-bytes=13MB, sessionMaxBytes",
    "attribute-max-bytes=4096TB, attributeMaxBytes"
  })
  void aValueOutOfItsRangeIsRefusedByTheNameOfItsProperty(String property, String named) {
    application
        .withPropertyValues("tempest.sessions." + property)
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("tempest.sessions")
                .hasMessageContaining(named + " must be 1 to"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1KB", "1024", "1024B"})
  void aSizeIsANumberOfBytesOrHasAUnit(String size) {
    application
        .withPropertyValues(
            "tempest.sessions.attribute-max-bytes=" + size,
            "tempest.sessions.session-max-bytes=2MB")
        .run(context -> {
          TempestSession session = context.getBean(TempestSessionRepository.class).createSession();
          session.setAttribute("small", new byte[500]);
          org.assertj.core.api.Assertions.assertThatThrownBy(
                  () -> session.setAttribute("large", new byte[2000]))
              .hasMessageContaining("and may take 1,024");
        });
  }

  @Test
  void theyCanBeTurnedOff() {
    application
        .withPropertyValues("tempest.sessions.enabled=false")
        .withBean(
            SessionRepositoryFilter.class,
            () -> new SessionRepositoryFilter<>(new MapSessionRepository(new HashMap<>())))
        .run(context ->
            assertThat(context)
                .doesNotHaveBean(Sessions.class)
                .doesNotHaveBean("tempestSeenFilter"));
  }

  @Test
  void anotherRepositoryIsLeftAlone() {
    application
        .withBean(
            SessionRepository.class, () -> new MapSessionRepository(new ConcurrentHashMap<>()))
        .withBean(
            SessionRepositoryFilter.class,
            () -> new SessionRepositoryFilter<>(new MapSessionRepository(new HashMap<>())))
        .run(context -> assertThat(context).doesNotHaveBean(TempestSessionRepository.class));
  }

  @Test
  void aCookieThatNoBrowserTakesIsRefusedByTheNamesOfItsProperties() {
    String prefix = "server.servlet.session.cookie.";
    MockEnvironment environment =
        new MockEnvironment()
            .withProperty(prefix + "secure", "false")
            .withProperty(prefix + "partitioned", "true");
    assertThatThrownBy(() -> TempestSessionAutoConfiguration.cookieOf(environment))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(prefix)
        .hasMessageContaining("has to be secure");
  }

  @Test
  void theSecondCookieIsLikeThatOfTheSession() {
    assertThat(TempestSessionAutoConfiguration.cookieOf(new MockEnvironment()))
        .isEqualTo(SessionCookie.defaults());
    String prefix = "server.servlet.session.cookie.";
    assertThat(
            TempestSessionAutoConfiguration.cookieOf(
                new MockEnvironment()
                    .withProperty(prefix + "name", "SHOP")
                    .withProperty(prefix + "path", "/shop")
                    .withProperty(prefix + "same-site", "STRICT")
                    .withProperty(prefix + "secure", "true")
                    .withProperty(prefix + "partitioned", "true")))
        .isEqualTo(
            new SessionCookie(
                "SHOP", Optional.of("/shop"), Optional.empty(), "Strict", Optional.of(true), true));
    assertThat(
            TempestSessionAutoConfiguration.cookieOf(
                new MockEnvironment().withProperty(prefix + "same-site", "omitted")))
        .isEqualTo(SessionCookie.defaults());
  }
}

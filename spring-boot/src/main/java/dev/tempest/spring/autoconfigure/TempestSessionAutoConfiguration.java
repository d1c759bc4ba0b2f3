package dev.tempest.spring.autoconfigure;

import dev.tempest.Node;
import dev.tempest.config.ConfigException;
import dev.tempest.sessions.AttributeCodec;
import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.SessionsConfig;
import dev.tempest.sessions.servlet.SessionCookie;
import dev.tempest.sessions.spring.TempestSessionRepository;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.session.autoconfigure.SessionAutoConfiguration;
import org.springframework.boot.session.autoconfigure.SessionTimeout;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.session.IndexResolver;
import org.springframework.session.Session;
import org.springframework.session.SessionRepository;
import org.springframework.session.config.SessionRepositoryCustomizer;
import org.springframework.session.config.annotation.web.http.SpringHttpSessionConfiguration;
import org.springframework.session.web.http.SessionRepositoryFilter;
import org.springframework.util.StringUtils;

/**
 * Sessions of Spring Session that all processes of the application share, where {@code
 * spring-boot-session} is in the class path and no other repository is a bean. Their time is {@code
 * spring.session.timeout}, else {@code server.servlet.session.timeout}; {@code
 * tempest.sessions.enabled: false} turns them off.
 */
@AutoConfiguration(
    before = SessionAutoConfiguration.class,
    after = {TempestAutoConfiguration.class, TempestOperationsAutoConfiguration.class},
    afterName = {
      "org.springframework.boot.session.data.redis.autoconfigure.SessionDataRedisAutoConfiguration",
      "org.springframework.boot.session.jdbc.autoconfigure.JdbcSessionAutoConfiguration"
    })
@ConditionalOnClass({SessionTimeout.class, SessionRepository.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnMissingBean(SessionRepository.class)
@ConditionalOnBooleanProperty(name = "tempest.sessions.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SessionProperties.class)
@Import(SpringHttpSessionConfiguration.class)
public final class TempestSessionAutoConfiguration {
  /** After those that measure and log, before that of Spring Session. */
  private static final int SEEN_FILTER_ORDER = SessionRepositoryFilter.DEFAULT_ORDER - 1;

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  static Sessions tempestSessions(
      Node node, SessionProperties properties, SessionTimeout timeout, ResourceLoader loader) {
    SessionsConfig.Builder config = properties.builder();
    ClassLoader classes = loader.getClassLoader();
    if (classes != null) {
      config.codec(AttributeCodec.javaSerialization(classes));
    }
    Duration maxInactive = timeout.getTimeout();
    if (maxInactive != null) {
      config.maxInactive(maxInactive.isNegative() ? Duration.ZERO : maxInactive);
    }
    return Sessions.of(node, valid("tempest.sessions.", config::build));
  }

  /** What can be wrong is one of the properties with that prefix, and is called as there. */
  private static <T> T valid(String prefix, Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "properties " + prefix + "*", String.valueOf(e.getMessage()), "correct it");
    }
  }

  @Bean
  static TempestSessionRepository sessionRepository(
      Sessions sessions,
      SessionProperties properties,
      ApplicationEventPublisher events,
      ObjectProvider<IndexResolver<Session>> indexes,
      ObjectProvider<SessionRepositoryCustomizer<TempestSessionRepository>> customizers) {
    TempestSessionRepository repository = new TempestSessionRepository(sessions, events);
    if (properties.flushMode() != null) {
      repository.setFlushMode(properties.flushMode());
    }
    indexes.ifAvailable(repository::setIndexResolver);
    customizers.orderedStream().forEach(each -> each.customize(repository));
    return repository;
  }

  /** Boot binds it to the registries that there are. The meters of the node have it, too. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterBinder.class)
  @ConditionalOnMissingBean(type = "dev.tempest.operations.NodeMetrics")
  static final class Metrics {
    @Bean
    static SessionMetrics tempestSessionMetrics(Sessions sessions) {
      return new SessionMetrics(sessions);
    }
  }

  /** Another {@link SessionCookie} goes with another serializer of the session's own cookie. */
  @Bean
  static FilterRegistrationBean<Filter> tempestSeenFilter(
      TempestSessionRepository repository,
      Environment environment,
      ObjectProvider<SessionCookie> cookies) {
    SessionCookie cookie = cookies.getIfAvailable(() -> cookieOf(environment));
    FilterRegistrationBean<Filter> filter =
        new FilterRegistrationBean<>(repository.seenFilter(cookie));
    filter.setName("tempestSeenFilter");
    filter.setOrder(SEEN_FILTER_ORDER);
    filter.setDispatcherTypes(
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
    filter.setAsyncSupported(true);
    return filter;
  }

  /** As Boot has it for the cookie of the session. */
  static SessionCookie cookieOf(Environment environment) {
    String prefix = "server.servlet.session.cookie.";
    SessionCookie defaults = SessionCookie.defaults();
    String sameSite =
        StringUtils.capitalize(
            environment.getProperty(prefix + "same-site", "omitted").toLowerCase(Locale.ROOT));
    return valid(
        prefix,
        () ->
            new SessionCookie(
                environment.getProperty(prefix + "name", defaults.name()),
                Optional.ofNullable(environment.getProperty(prefix + "path")),
                Optional.ofNullable(environment.getProperty(prefix + "domain")),
                sameSite.equals("Omitted") ? defaults.sameSite() : sameSite,
                Optional.ofNullable(environment.getProperty(prefix + "secure", Boolean.class)),
                environment.getProperty(prefix + "partitioned", Boolean.class, false)));
  }
}

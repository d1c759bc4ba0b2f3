package dev.tempest.spring.autoconfigure;

import dev.tempest.sessions.SessionsConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.session.FlushMode;
import org.springframework.session.SaveMode;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code tempest.sessions.*}; what is left out is as {@link SessionsConfig} says.
 */
@ConfigurationProperties("tempest.sessions")
record SessionProperties(
    @Nullable String name,
    @Nullable Duration touchEvery,
    @Nullable Integer acks,
    @Nullable SaveMode saveMode,
    @Nullable FlushMode flushMode,
    @Nullable Duration seenWithin,
    @Nullable Integer sessionsMax,
    @Nullable Integer attributesMax,
    @Nullable DataSize attributeMaxBytes,
    @Nullable DataSize sessionMaxBytes) {

  SessionsConfig.Builder builder() {
    SessionsConfig.Builder config = SessionsConfig.builder();
    PropertyMapper map = PropertyMapper.get();
    map.from(name).to(config::name);
    map.from(touchEvery).to(config::touchEvery);
    map.from(acks).to(config::acks);
    map.from(saveMode).as(SessionProperties::ours).to(config::saveMode);
    map.from(seenWithin).to(config::seenWithin);
    map.from(sessionsMax).to(config::sessionsMax);
    map.from(attributesMax).to(config::attributesMax);
    map.from(attributeMaxBytes).as(SessionProperties::bytes).to(config::attributeMaxBytes);
    map.from(sessionMaxBytes).as(SessionProperties::bytes).to(config::sessionMaxBytes);
    return config;
  }

  /** What is more than an int holds is beyond every limit all the same. */
  private static int bytes(DataSize size) {
    return Math.clamp(size.toBytes(), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private static dev.tempest.sessions.SaveMode ours(SaveMode mode) {
    return switch (mode) {
      case ON_SET_ATTRIBUTE -> dev.tempest.sessions.SaveMode.ON_SET;
      case ON_GET_ATTRIBUTE -> dev.tempest.sessions.SaveMode.ON_GET;
      case ALWAYS -> dev.tempest.sessions.SaveMode.ALWAYS;
    };
  }
}

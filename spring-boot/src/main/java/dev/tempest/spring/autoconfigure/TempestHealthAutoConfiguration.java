package dev.tempest.spring.autoconfigure;

import dev.tempest.Node;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The node among the health indicators of Spring Boot. */
@AutoConfiguration(after = TempestAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
public final class TempestHealthAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean(name = "tempestHealthIndicator")
  @ConditionalOnEnabledHealthIndicator("tempest")
  static HealthIndicator tempestHealthIndicator(Node node) {
    return new NodeHealthIndicator(node);
  }
}

package dev.tempest.spring.autoconfigure;

import dev.tempest.jcache.TempestCachingProvider;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless {@code spring.cache.type} asks for other caches than those of JCache, or {@code
 * spring.cache.jcache.provider} for another provider of these.
 */
final class CacheTypeCondition extends SpringBootCondition {
  private static final String TYPE = "spring.cache.type";
  private static final String PROVIDER = "spring.cache.jcache.provider";

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    Environment environment = context.getEnvironment();
    ConditionMessage.Builder message = ConditionMessage.forCondition("Tempest caches");
    String type = environment.getProperty(TYPE, "jcache");
    if (!type.equalsIgnoreCase("jcache")) {
      return ConditionOutcome.noMatch(message.because(TYPE + " is " + type));
    }
    String ours = TempestCachingProvider.class.getName();
    String provider = environment.getProperty(PROVIDER, ours);
    return new ConditionOutcome(
        provider.equals(ours), message.because("the provider is " + provider));
  }
}

package dev.tempest.spring.autoconfigure;

import dev.tempest.config.ConfigException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with the configuration, and not where in the code that was seen. */
final class ConfigFailureAnalyzer extends AbstractFailureAnalyzer<ConfigException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, ConfigException cause) {
    return new FailureAnalysis(
        "The configuration of Tempest cannot work:\n\n" + cause.getMessage(),
        "Correct the properties tempest.*, or tempest.yaml, as it says there.",
        cause);
  }
}

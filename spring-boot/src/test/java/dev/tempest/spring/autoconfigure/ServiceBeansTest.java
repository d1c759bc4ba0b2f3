package dev.tempest.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.spring.wrong.WithoutInterface;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A service that cannot be hosted is refused, and the error says why. */
@Timeout(60)
final class ServiceBeansTest {
  @AutoConfigurationPackage(basePackageClasses = WithoutInterface.class)
  static class Wrong {}

  @Test
  void aServiceHasAnInterface() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(TempestAutoConfiguration.class))
        .withUserConfiguration(Wrong.class)
        .run(context ->
            assertThat(context)
                .getFailure()
                .hasStackTraceContaining(
                    "dev.tempest.spring.wrong.WithoutInterface must implement one interface with"
                        + " methods marked @Update or @Read, not 0"));
  }
}

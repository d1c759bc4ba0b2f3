package dev.tempest.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.RegistrationBean;

/** Where the dashboard is. */
@Timeout(60)
final class OperationsPathTest {
  private final WebApplicationContextRunner application =
      new WebApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  TempestAutoConfiguration.class, TempestOperationsAutoConfiguration.class))
          .withPropertyValues(
              "tempest.cluster=operations-" + ProcessHandle.current().pid(),
              "tempest.listen=127.0.0.1");

  @ParameterizedTest
  @ValueSource(strings = {"tempest", "/tempest/", "/"})
  void aPathThatIsNoneIsRefusedAsAllOtherConfiguration(String path) {
    application
        .withPropertyValues("tempest.operations.path=" + path)
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("tempest.operations.path")
                .hasMessageContaining("/tempest"));
  }

  @Test
  void anEmptyPathIsNone() {
    application
        .withPropertyValues("tempest.operations.path=")
        .run(context ->
            assertThat(context)
                .hasNotFailed()
                .getBean(RegistrationBean.class)
                .returns(false, RegistrationBean::isEnabled));
  }
}

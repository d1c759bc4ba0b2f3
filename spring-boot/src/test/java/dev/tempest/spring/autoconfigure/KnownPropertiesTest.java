package dev.tempest.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.ConfigException;
import dev.tempest.spring.notes.NotesApplication;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** A property that nobody reads is refused; what belongs to somebody else is not. */
final class KnownPropertiesTest {
  private final StandardEnvironment environment = new StandardEnvironment();
  private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

  private void refuseOthers() {
    KnownProperties.refuseOthers(environment, beans);
  }

  private void property(String name) {
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource(name, Map.of(name, "anything")));
  }

  private void variable(String name) {
    environment
        .getPropertySources()
        .addFirst(new SystemEnvironmentPropertySource(name, Map.of(name, "anything")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tempest.aks | it is not known. Did you mean tempest.acks?",
        "tempest.sessions.touch-evry | it is not known. Did you mean tempest.sessions.touch-every?",
        "tempest.save-mode | it is not known. Did you mean tempest.sessions.save-mode?",
        "tempest.acks.all | it is not known. Remove it; known: tempest.cluster, ",
        "tempest.seed[1] | it is not known. Did you mean tempest.seeds?",
        "tempest.shutdown-hook | Spring closes the node, whatever this says. Remove it",
        "tempest.http | only a server of Tempest answers over HTTP by itself. Remove it",
        "tempest.http.port | only a server of Tempest answers over HTTP by itself. Remove it",
        "tempest.http-advertise | only a server of Tempest answers over HTTP by itself. Remove it",
        "tempest.collections.carts.idle | this is written in tempest.yaml only. Move it there",
        "tempest.services[0].name | this is written in tempest.yaml only. Move it there"
      })
  void whatNobodyReadsIsRefused(String name, String error) {
    property(name);
    assertThatThrownBy(this::refuseOthers)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("property " + name)
        .hasMessageContaining(": " + error);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tempest.acks",
        "tempest.maxAhead",
        "tempest.CHECKPOINT_FOLDER",
        "tempest.seeds[0]",
        "tempest.sessions.flushMode",
        "tempest.operations.path",
        "tempestuous.aks"
      })
  void whatIsReadMayBeWrittenAsSpringAllows(String name) {
    property(name);
    assertThatCode(this::refuseOthers).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TEMPEST_EXPEL_AFTER",
        "TEMPEST_EXPELAFTER",
        "TEMPEST_SEEDS_0",
        "TEMPEST_SEEDS_0_",
        "TEMPEST_SESSIONS_TOUCHEVERY",
        "TEMPEST_CONFIG",
        "TEMPEST_HTTP",
        "TEMPEST_HTTP_ADVERTISE",
        "TEMPEST_SHUTDOWN_HOOK",
        "TEMPEST_SERVICE_HOST",
        "TEMPEST_PORT_7400_TCP_ADDR",
        "TEMPEST_HOME"
      })
  void variablesOfOthersMayBeginAlike(String name) {
    variable(name);
    assertThatCode(this::refuseOthers).doesNotThrowAnyException();
  }

  @Test
  void aSlipInAVariableIsRefused() {
    variable("TEMPEST_EXPELL_AFTER");
    variable("TEMPEST_SESSIONS_TOUCH_EVRY");
    assertThatThrownBy(this::refuseOthers)
        .hasMessageContaining(
            "environment variable TEMPEST_EXPELL_AFTER: it is not known. Did you mean"
                + " TEMPEST_EXPEL_AFTER?")
        .hasMessageContaining("Did you mean TEMPEST_SESSIONS_TOUCH_EVERY?");
  }

  @ConfigurationProperties("tempest.weather")
  record Weather(String station) {}

  @Test
  void anApplicationMayHavePropertiesBelow() {
    property("tempest.weather.station");
    assertThatThrownBy(this::refuseOthers).hasMessageContaining("tempest.weather.station");
    beans.registerBeanDefinition("weather", new RootBeanDefinition(Weather.class));
    assertThatCode(this::refuseOthers).doesNotThrowAnyException();
    property("tempest.whether.station");
    assertThatThrownBy(this::refuseOthers).hasMessageContaining("tempest.whether.station");
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void anApplicationThatCannotStartSaysWhatToDo(CapturedOutput output) {
    SpringApplication application = new SpringApplication(NotesApplication.class);
    application.setDefaultProperties(
        new HashMap<>(Map.of("tempest.aks", "2", "tempest.listen", "127.0.0.1")));
    assertThatThrownBy(application::run).isInstanceOf(ConfigException.class);
    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .contains("property tempest.aks")
        .contains("Did you mean tempest.acks?")
        .doesNotContain("founded cluster");
  }
}

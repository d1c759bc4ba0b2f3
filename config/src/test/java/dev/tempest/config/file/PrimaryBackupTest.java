package dev.tempest.config.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.ConfigException;
import dev.tempest.config.Consistency;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Execute;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a file says of services that a primary keeps. */
final class PrimaryBackupTest {
  private static final String THREE = "[10.0.0.1, 10.0.0.2, 10.0.0.3]";

  @Test
  void bothCopiesMayExecute() {
    ServiceOptions options = parse(THREE, "execute: all").config().services().getFirst().options();
    assertThat(options.consistency()).isEqualTo(Consistency.PRIMARY_BACKUP);
    assertThat(options.execute()).isEqualTo(Execute.ALL);
  }

  /** An eventual service takes these reads as little. */
  @ParameterizedTest
  @ValueSource(strings = {"lease", "local"})
  void itHasNoLease(String reads) {
    assertThatThrownBy(() -> parse(THREE, "reads: " + reads))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "test.yaml line 6: a primary has no lease, and asks its backup: leave reads out, or"
                + " choose session or stale. Or write consistency: linearizable");
  }

  @Test
  void twoMembersAreTooFew() {
    assertThatThrownBy(() -> parse("[10.0.0.1, 10.0.0.2]", "reads: stale"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "test.yaml line 4: service 'bank' is kept by a primary, which a majority of the"
                + " members chooses. List three or more under members");
  }

  private static NodeSettings parse(String members, String words) {
    String yaml =
        """
        members: %s
        services:
          - name: bank
            class: A
            consistency: primary-backup
            %s
        """
            .formatted(members, words);
    return new NodeReader(Map.of(), Map.of()).read(new ConfigFile("test.yaml", Path.of(""), yaml));
  }
}

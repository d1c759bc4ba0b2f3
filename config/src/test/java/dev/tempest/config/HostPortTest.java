package dev.tempest.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostPortTest {
  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "10.1.2.3", "255.199.249.250", "::1", "fe80::1%eth0"})
  void anAddressNeedsNoNameService(String host) {
    assertThat(HostPort.isAddress(host)).isTrue();
  }

  /** The system asks the name service about these, which may take seconds. */
  @ParameterizedTest
  @ValueSource(strings = {"1.2.3.4.5", "1.2.3.256", "1.2.3", "1", "1..2.3"})
  void whatLooksLikeAnAddressAndIsNoneIsRefused(String host) {
    assertThat(HostPort.isAddress(host)).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostPort.parse(host + ":1"))
        .withMessageContaining("'" + host + "' is not an IP address");
  }
}

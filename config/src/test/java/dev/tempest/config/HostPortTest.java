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

  /** As containers have, and companies. */
  @ParameterizedTest
  @ValueSource(strings = {"7400x", "7400fe12ab34", "3com.com", "a_b.svc", "shop.default."})
  void aNameMayBeginWithDigits(String host) {
    assertThat(HostPort.parse(host + ":1").host()).isEqualTo(host);
    assertThat(ListenAddress.parse(host).host()).isEqualTo(host);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-",
        "7400-x-",
        "-a",
        "a-.b",
        "a..b",
        ".a",
        "x.-",
        "a123456789a123456789a123456789a123456789a123456789a123456789a123"
      })
  void whatNoHostCanBeCalledIsRefused(String host) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostPort.parse(host + ":1"))
        .withMessageContaining("'" + host + "' is not a name that a host can have");
    assertThatIllegalArgumentException().isThrownBy(() -> ListenAddress.parse(host));
  }
}

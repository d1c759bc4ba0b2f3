package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import java.lang.System.Logger.Level;
import org.junit.jupiter.api.Test;

/** What it says of a node that only its own machine reaches. */
final class OwnAddressTest {
  private final NodeConfig.Builder config = NodeConfig.builder();

  @Test
  void isNoWarningOnAMachineAlone() {
    assertThat(OwnAddress.level(config.build())).isEqualTo(Level.INFO);
    assertThat(OwnAddress.level(config.seeds("127.0.0.1:7500", "[::1]:7500").build()))
        .isEqualTo(Level.INFO);
  }

  @Test
  void isAWarningWhereOthersAreNamed() {
    assertThat(OwnAddress.level(config.seeds("127.0.0.1:7500", "10.0.0.2:7400").build()))
        .isEqualTo(Level.WARNING);
    assertThat(OwnAddress.level(NodeConfig.builder().dns("shop.invalid").build()))
        .isEqualTo(Level.WARNING);
    assertThat(OwnAddress.level(NodeConfig.builder().members("10.0.0.2:7400").build()))
        .isEqualTo(Level.WARNING);
  }
}

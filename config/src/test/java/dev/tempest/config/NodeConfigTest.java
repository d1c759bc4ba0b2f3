package dev.tempest.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NodeConfigTest {
  private static final NodeConfig DEFAULTS = NodeConfig.defaults();
  private static final CollectionConfig EVENTUAL =
      CollectionConfig.DEFAULT.withPreset(Preset.EVENTUAL);

  @Test
  void withoutAnyWordItFindsWhatIsNearAndKeepsAllForEver() {
    assertThat(DEFAULTS.cluster()).isEqualTo("tempest");
    assertThat(DEFAULTS.name()).isEmpty();
    assertThat(DEFAULTS.bind()).isEqualTo(NodeConfig.BIND_PRIVATE);
    assertThat(DEFAULTS.ports()).hasToString("7500-7599");
    assertThat(DEFAULTS.discovery()).isEqualTo(new Discovery(45_791, true, List.of(), noDns()));
    assertThat(DEFAULTS.collection("carts"))
        .isEqualTo(new CollectionConfig(Preset.SESSION, Duration.ZERO, Duration.ZERO, 0));
  }

  @Test
  void eachWithChangesOneThing() {
    Discovery places = Discovery.NONE.withDns(new HostPort("shop", 7_500));
    NodeConfig changed =
        DEFAULTS
            .withCluster("shop")
            .withName("till-3")
            .withBind("127.0.0.1")
            .withPorts(PortRange.of(7_000))
            .withDiscovery(places)
            .withSeeds("10.0.0.1:7500")
            .withExpelAfter(Duration.ofSeconds(5))
            .withCollection("carts", EVENTUAL);

    assertThat(changed)
        .isEqualTo(
            new NodeConfig(
                "shop",
                "till-3",
                "127.0.0.1",
                new PortRange(7_000, 7_000),
                places.withSeeds(List.of(new HostPort("10.0.0.1", 7_500))),
                Duration.ofSeconds(5),
                List.of(new CollectionRule("carts", EVENTUAL))));
    assertThat(Discovery.NONE.withMulticastPort(45_791).withLoopback(true))
        .isEqualTo(Discovery.DEFAULT);
    assertThat(EVENTUAL.withTimeToLive(Duration.ofMinutes(30)).withIdle(hour()).withMaxSize(9))
        .isEqualTo(new CollectionConfig(Preset.EVENTUAL, Duration.ofMinutes(30), hour(), 9));
  }

  @ParameterizedTest
  @CsvSource({
    "carts, carts",
    "carts-old, carts-*",
    "carts-, carts-*",
    "session, s*",
    "session-a, session-*",
    "orders, *",
  })
  void theMostSpecificPatternAppliesWhateverTheOrder(String collection, String pattern) {
    List<CollectionRule> rules =
        List.of(
            new CollectionRule("*", EVENTUAL),
            new CollectionRule("s*", EVENTUAL),
            new CollectionRule("session-*", EVENTUAL),
            new CollectionRule("carts", EVENTUAL),
            new CollectionRule("carts-*", EVENTUAL));

    assertThat(with(rules).rule(collection).orElseThrow().pattern()).isEqualTo(pattern);
    assertThat(with(rules.reversed()).rule(collection).orElseThrow().pattern()).isEqualTo(pattern);
  }

  @Test
  void aRuleThatAppliesAddsNothingFromOthers() {
    NodeConfig config =
        DEFAULTS
            .withCollection("*", CollectionConfig.DEFAULT.withMaxSize(10))
            .withCollection("carts", EVENTUAL);

    assertThat(config.collection("carts").maxSize()).isZero();
    assertThat(config.collection("orders").maxSize()).isEqualTo(10);
  }

  @Test
  void aSecondRuleForOnePatternReplacesTheFirst() {
    NodeConfig config =
        DEFAULTS.withCollection("carts", EVENTUAL).withCollection("carts", EVENTUAL.withMaxSize(7));

    assertThat(config.collections()).hasSize(1);
    assertThat(config.collection("carts").maxSize()).isEqualTo(7);
    refused(
        "the pattern carts is there twice",
        () -> with(Collections.nCopies(2, new CollectionRule("carts", EVENTUAL))));
  }

  @Test
  void refusesWhatCannotWork() {
    refused("'-x' is no name of a cluster", () -> DEFAULTS.withCluster("-x"));
    refused("'a b' is no name of a node", () -> DEFAULTS.withName("a b"));
    refused("'a/b' is neither a host", () -> DEFAULTS.withBind("a/b"));
    refused("stands for all that are not public", () -> DEFAULTS.withBind("0.0.0.0"));
    refused("cannot listen on 8.8.8.8", () -> DEFAULTS.withBind("8.8.8.8"));
    refused("look for others at 2001:db8::1", () -> DEFAULTS.withSeeds("[2001:db8::1]:7500"));
    refused("'300.1.1.1' is not an IP address", () -> DEFAULTS.withBind("300.1.1.1"));
    refused("2 s to 1 day", () -> DEFAULTS.withExpelAfter(Duration.ofMillis(1_999)));
    refused("2 s to 1 day", () -> DEFAULTS.withExpelAfter(Duration.ofHours(25)));
    refused("ports 2 to 1 are no range", () -> new PortRange(2, 1));
    refused("at most 256", () -> new PortRange(1, 257));
    refused("port 0 is not between", () -> PortRange.of(0));
    refused("multicast port is 1 to 65535", () -> Discovery.NONE.withMulticastPort(65_536));
    refused(
        "65 seeds", () -> Discovery.NONE.withSeeds(Collections.nCopies(65, new HostPort("a", 1))));
    refused("is no pattern", () -> DEFAULTS.withCollection("a*b", EVENTUAL));
    refused("is no pattern", () -> DEFAULTS.withCollection("Carts", EVENTUAL));
    refused("time to live is 1 ms to", () -> EVENTUAL.withTimeToLive(Duration.ofMillis(-1)));
    refused("idle time is 1 ms to", () -> EVENTUAL.withIdle(Duration.ofDays(36_501)));
    refused("maximum size is 1 to", () -> EVENTUAL.withMaxSize(-1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "::1",
        "10.1.2.3",
        "172.31.0.1",
        "192.168.1.1",
        "169.254.1.1",
        "fe80::1",
        "fd00::1",
        "localhost",
        "private",
        "db.example.org"
      })
  void listensOnWhatIsPrivateAndLooksUpNamesOnlyWhenUsed(String host) {
    assertThatNoException().isThrownBy(() -> DEFAULTS.withBind(host));
  }

  private static NodeConfig with(List<CollectionRule> rules) {
    return new NodeConfig(
        DEFAULTS.cluster(),
        "",
        DEFAULTS.bind(),
        DEFAULTS.ports(),
        DEFAULTS.discovery(),
        DEFAULTS.expelAfter(),
        rules);
  }

  private static void refused(String message, Runnable attempt) {
    assertThatIllegalArgumentException().isThrownBy(attempt::run).withMessageContaining(message);
  }

  private static Duration hour() {
    return Duration.ofHours(1);
  }

  private static Optional<HostPort> noDns() {
    return Optional.empty();
  }
}

package dev.tempest.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.tempest.config.ServiceOptions.Reads;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NodeConfigTest {
  private static final NodeConfig DEFAULTS = NodeConfig.defaults();
  private static final CollectionConfig EVENTUAL =
      CollectionConfig.builder().preset(Preset.EVENTUAL).build();
  private static final CollectionConfig LINEARIZABLE =
      CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build();

  @Test
  void optionsOfAServiceCanBeRead() {
    assertThat(ServiceOptions.builder().consistency(Consistency.LINEARIZABLE).build())
        .hasToString(
            "ServiceOptions[consistency=LINEARIZABLE, execute=LEADER, reads=LINEARIZABLE,"
                + " ballots=CLASSIC, reconcile=MERGE, unchecked=[]]");
  }

  @Test
  void withoutAnyWordItFindsWhatIsNearAndKeepsAllForEver() {
    assertThat(DEFAULTS.cluster()).isEqualTo("tempest");
    assertThat(DEFAULTS.name()).isEmpty();
    assertThat(DEFAULTS.listen()).hasToString("private:7400-7499");
    assertThat(DEFAULTS.advertise(7_400)).isEmpty();
    assertThat(DEFAULTS.multicastPort()).isEqualTo(45_790);
    assertThat(DEFAULTS.loopback()).isTrue();
    assertThat(DEFAULTS.seeds()).isEmpty();
    assertThat(DEFAULTS.dns()).isEmpty();
    assertThat(DEFAULTS.members()).isEmpty();
    assertThat(DEFAULTS.shutdownHook()).isTrue();
    assertThat(DEFAULTS.services()).isEmpty();
    assertThat(DEFAULTS.collection("carts"))
        .usingRecursiveComparison()
        .isEqualTo(CollectionConfig.builder().acks(1).build());
  }

  @Test
  void aBuilderSaysAllThatAFileDoesAndBeginsWithWhatOneHasSaid() {
    NodeConfig built =
        builder()
            .cluster("shop")
            .name("till-3")
            .listen("127.0.0.1:7000")
            .advertise("203.0.113.7")
            .allow("203.0.113.0/24")
            .multicastPort(0)
            .loopback(false)
            .seeds("10.0.0.1", "[fd00::1]:7500")
            .dns("shop.local")
            .expelAfter(Duration.ofSeconds(5))
            .shutdownHook(false)
            .checkpointFolder("checkpoints")
            .checkpointEvery(Duration.ofSeconds(5))
            .acks(2)
            .deadline(Duration.ofSeconds(3))
            .maxAhead(5_000)
            .reads(Reads.LEASE)
            .collection("carts", EVENTUAL)
            .service(ServiceConfig.builder("cart", "a.Cart").build())
            .build();

    NodeConfig same = built.toBuilder().build();
    assertThat(same).usingRecursiveComparison().isEqualTo(built);
    assertThat(same.advertise(7_000)).hasValue(new HostPort("203.0.113.7", 7_000));
    assertThat(same.seeds())
        .containsExactly(new HostPort("10.0.0.1", 7_000), new HostPort("fd00::1", 7_500));
    assertThat(same.dns()).hasValue(new HostPort("shop.local", 7_000));
    assertThat(same.services()).extracting(ServiceConfig::className).containsExactly("a.Cart");
  }

  @Test
  void theBuilderOfACollectionBeginsWithWhatOneHasSaid() {
    CollectionConfig carts =
        collection()
            .preset(Preset.EVENTUAL)
            .timeToLive(Duration.ofMinutes(30))
            .idle(hour())
            .maxSize(9)
            .acks(3)
            .build();

    assertThat(carts.toBuilder().build()).usingRecursiveComparison().isEqualTo(carts);
    assertThat(carts.toBuilder().timeToLive(hour()).build().timeToLive()).isEqualTo(hour());
    assertThat(carts.isLinearizable()).isFalse();
    assertThat(LINEARIZABLE.toBuilder().maxSize(9).build().isLinearizable()).isTrue();
  }

  @Test
  void aLinearizableCollectionHasNeitherAcksNorAPresetForConcurrentWrites() {
    CollectionConfig.Builder stock = LINEARIZABLE.toBuilder();

    refused(
        "a majority has each write before it returns: leave acks out", () -> stock.acks(2).build());
    refused(
        "never concurrent: leave preset out",
        () -> LINEARIZABLE.toBuilder().preset(Preset.EVENTUAL).build());
    assertThat(stock.consistency(Consistency.EVENTUAL).build().acks()).isEqualTo(2);
  }

  @Test
  void aLinearizableCollectionNeedsAListOfMembers() {
    NodeConfig.Builder node = builder().acks(2).collection("st*", LINEARIZABLE);

    refused("collection 'st*' is linearizable, and no members are listed: list the", node::build);
    CollectionConfig stock = node.members("10.0.0.1").build().collection("stock");
    assertThat(stock.consistency()).isEqualTo(Consistency.LINEARIZABLE);
    assertThat(stock.acks()).isZero();
  }

  @Test
  void acksAreThoseOfTheCollectionElseOfTheNode() {
    NodeConfig config =
        builder()
            .acks(2)
            .collection("safe-*", collection().acks(3).build())
            .collection("carts", collection().maxSize(9).build())
            .build();

    assertThat(config.collection("safe-a").acks()).isEqualTo(3);
    assertThat(config.collection("carts").acks()).isEqualTo(2);
    assertThat(config.collection("other").acks()).isEqualTo(2);
    refused("acks must be 1 to 64, not 0", () -> builder().acks(0));
    refused("acks must be 1 to 64, not 0", () -> collection().acks(0));
    refused("acks must be 1 to 64, not 65", () -> collection().acks(65));
    refused("1 ms to 10 minutes", () -> builder().deadline(Duration.ZERO));
  }

  @Test
  void whoHasAListDoesNotSearch() {
    NodeConfig fixed = builder().members("10.0.0.1", "10.0.0.2:7500").build();

    assertThat(fixed.loopback()).isFalse();
    assertThat(fixed.members())
        .containsExactly(new HostPort("10.0.0.1", 7_400), new HostPort("10.0.0.2", 7_500));
    refused("seeds and dns cannot be used", () -> fixed.toBuilder().seeds("10.0.0.3").build());
    refused("seeds and dns cannot be used", () -> fixed.toBuilder().dns("shop.local").build());
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
        builder()
            .collection("*", collection().maxSize(10).build())
            .collection("carts", EVENTUAL)
            .build();

    assertThat(config.collection("carts").maxSize()).isZero();
    assertThat(config.collection("orders").maxSize()).isEqualTo(10);
  }

  @Test
  void aSecondRuleForOnePatternReplacesTheFirst() {
    NodeConfig config =
        builder()
            .collection("carts", EVENTUAL)
            .collection("carts", EVENTUAL.toBuilder().maxSize(7).build())
            .build();

    assertThat(config.collections()).hasSize(1);
    assertThat(config.collection("carts").maxSize()).isEqualTo(7);
  }

  @Test
  void refusesWhatCannotWork() {
    refused("invalid cluster name '-x'", () -> builder().cluster("-x"));
    refused("invalid node name 'a b'", () -> builder().name("a b"));
    refused("'a/b' is neither host nor host:port", () -> builder().listen("a/b"));
    refused("write private:7400, or the address", () -> builder().listen("7400"));
    refused("write private:7400-7409, or", () -> builder().listen(":7400-7409"));
    refused("8.8.8.8 is neither private nor allowed", () -> builder().listen("8.8.8.8").build());
    refused("8.8.8.8 is neither", () -> builder().advertise("8.8.8.8:1").build());
    refused("2001:db8::1 is neither", () -> builder().seeds("[2001:db8::1]:7500").build());
    refused("8.8.8.8 is neither", () -> builder().members("8.8.8.8").build());
    refused("'300.1.1.1' is not an IP address", () -> builder().listen("300.1.1.1").build());
    refused("listed twice", () -> builder().members("a:1", "a:1"));
    refused("a:7400 and A:7400 are one", () -> builder().members("a", "A:7400").build());
    refused("are one and the same", () -> builder().members("[::1]:1", "[0::1]:1").build());
    refused("1 s to 1 day", () -> builder().checkpointEvery(Duration.ofMillis(999)));
    refused("2 s to 1 day", () -> builder().expelAfter(Duration.ofMillis(1_999)));
    refused("2 s to 1 day", () -> builder().expelAfter(Duration.ofHours(25)));
    refused("show every earlier write", () -> builder().reads(Reads.SESSION));
    refused("1 to 1M writes, not 0", () -> builder().maxAhead(0));
    refused("1 to 1M writes, not 1000001", () -> builder().maxAhead(1_000_001));
    refused("invalid port range 2-1", () -> new PortRange(2, 1));
    refused("at most 256", () -> new PortRange(1, 257));
    refused("port 0 is not between", () -> PortRange.of(0));
    refused("multicast port must be 1 to 65535", () -> builder().multicastPort(65_536));
    refused("65 seeds", () -> builder().seeds(Collections.nCopies(65, "a").toArray(String[]::new)));
    refused("invalid collection pattern", () -> builder().collection("a*b", EVENTUAL));
    refused("invalid collection pattern", () -> builder().collection("Carts", EVENTUAL));
    refused("time to live must be 1 ms to", () -> collection().timeToLive(Duration.ofMillis(-1)));
    refused("idle time must be 1 ms to", () -> collection().idle(Duration.ofDays(36_501)));
    refused("maximum size must be 1 to", () -> collection().maxSize(-1));
    refused("'a b' is not the name of", () -> ServiceOptions.builder().unchecked("a.B", "a b"));
    refused("invalid service name 'a b'", () -> ServiceConfig.builder("a b", "a.Cart"));
    refused("'1' is not the name of a class", () -> ServiceConfig.builder("cart", "1"));
    ServiceConfig cart = ServiceConfig.builder("cart", "a.Cart").build();
    refused("'cart' is listed twice", () -> builder().service(cart).service(cart));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "::1",
        "0.0.0.0",
        "::",
        "10.1.2.3",
        "172.31.0.1",
        "192.168.1.1",
        "169.254.1.1",
        "100.64.0.1",
        "100.127.255.254",
        "fe80::1",
        "fd00::1",
        "localhost",
        "private",
        "db.example.org"
      })
  void listensOnWhatIsPrivateAndLooksUpNamesOnlyWhenUsed(String host) {
    assertThatNoException().isThrownBy(() -> builder().listen(host).build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8.8.8.8",
        "172.32.0.1",
        "100.63.255.255",
        "100.128.0.0",
        "2001:db8::1",
        "fe00::1"
      })
  void acceptsStrangersOnlyIfTold(String host) {
    InetAddress address = Network.address(host);
    assertThat(DEFAULTS.isAllowed(address)).isFalse();
    assertThat(builder().allow(host).build().isAllowed(address)).isTrue();
    assertThat(builder().allow("0.0.0.0/0", "::/0").build().isAllowed(address)).isTrue();
    assertThat(builder().allow("9.0.0.0/9", "2001:db9::/32").build().isAllowed(address)).isFalse();
  }

  private static NodeConfig with(List<CollectionRule> rules) {
    NodeConfig.Builder builder = builder();
    rules.forEach(rule -> builder.collection(rule.pattern(), rule.config()));
    return builder.build();
  }

  private static NodeConfig.Builder builder() {
    return NodeConfig.builder();
  }

  private static CollectionConfig.Builder collection() {
    return CollectionConfig.builder();
  }

  private static void refused(String message, Runnable attempt) {
    assertThatIllegalArgumentException().isThrownBy(attempt::run).withMessageContaining(message);
  }

  private static Duration hour() {
    return Duration.ofHours(1);
  }
}

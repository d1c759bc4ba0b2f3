package dev.tempest.examples.petstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Node;
import dev.tempest.ServiceException;
import dev.tempest.Tempest;
import dev.tempest.UnknownOutcomeException;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.runtime.FreePorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The shop on two servers. */
final class PetStoreTest {
  private static final Duration AMPLE = Duration.ofSeconds(30);
  private static final Pet TABBY = new Pet("tabby", "A striped cat, fond of mice", 9_900);
  private static final Pet MANX = new Pet("manx", "A cat without a tail", 14_900);
  private static final Pet BEAGLE = new Pet("beagle", "A dog that sings; a striped leash", 24_900);

  private final List<String> servers =
      FreePorts.find(2).stream().map(port -> "127.0.0.1:" + port).toList();
  private final List<Node> nodes = new ArrayList<>();
  private final FrontEnd frontEnd =
      FrontEnd.connect(
          FrontEndConfig.builder(servers).multicastPort(0).acks(2).deadline(AMPLE).build());
  private final PetStore store = new PetStore(frontEnd);

  @BeforeEach
  void open() {
    for (String server : servers) {
      NodeConfig.Builder config =
          NodeConfig.builder()
              .listen(server)
              .members(servers.toArray(String[]::new))
              .multicastPort(0);
      PetStore.services()
          .forEach((name, service) ->
              config.service(ServiceConfig.builder(name, service.getName()).build()));
      nodes.add(Tempest.join(config.build()));
    }
    assertThat(store.open(List.of(TABBY, MANX, BEAGLE), 2, AMPLE)).isEmpty();
  }

  @AfterEach
  void close() {
    frontEnd.close();
    nodes.forEach(Node::close);
  }

  @Test
  void aPageShowsWhatSevenServicesKnow() {
    assertThat(store.page("alice", "tabby", "Striped", AMPLE))
        .isEqualTo(
            new Page(
                TABBY,
                List.of("beagle", "tabby"),
                OptionalInt.of(2),
                List.of(),
                List.of(),
                List.of(),
                List.of()));
    assertThat(store.buy("alice", TABBY, AMPLE)).isTrue();
    assertThat(store.buy("alice", BEAGLE, AMPLE)).isTrue();
    assertThat(store.buy("bob", BEAGLE, AMPLE)).isTrue();

    Page page = store.page("alice", "tabby", "cat", AMPLE);

    assertThat(page.isWhole()).isTrue();
    assertThat(page.found()).containsExactly("manx", "tabby");
    assertThat(page.left()).hasValue(1);
    assertThat(page.orders())
        .containsExactly(new Order(2, "beagle", 1, 24_900), new Order(1, "tabby", 1, 9_900));
    assertThat(page.bestsellers()).containsExactly("beagle", "tabby");
    assertThat(page.alike()).containsExactly("beagle");
    assertThat(frontEnd.service("orders", Orders.class).takings()).isEqualTo(59_700);
    assertThat(store.page("alice", "unicorn", "horn", AMPLE).pet()).isNull();
  }

  @Test
  void whatIsSoldOutIsNotSold() {
    assertThat(store.buy("alice", MANX, AMPLE)).isTrue();
    assertThat(store.buy("bob", MANX, AMPLE)).isTrue();
    assertThat(store.buy("carol", MANX, AMPLE)).isFalse();

    assertThat(store.page("carol", "manx", "tail", AMPLE).orders()).isEmpty();
    assertThatThrownBy(() -> frontEnd.service("stock", Stock.class).take("manx", 0))
        .isInstanceOf(ServiceException.class)
        .hasMessageContaining("a count cannot be 0");
  }

  @Test
  void recommendationsForgetWhatIsLongAgo() {
    Recommendations recommendations = frontEnd.service("recommendations", Recommendations.class);
    for (int i = 0; i < 20; i++) {
      assertThat(recommendations.bought("alice", "pet " + i)).isEqualTo(Math.min(i, 8));
    }
    recommendations.bought("bob", "pet 19");
    recommendations.bought("bob", "pet 18");

    assertThat(recommendations.alike("pet 0", 100)).hasSize(8);
    assertThat(recommendations.alike("pet 19", 1)).containsExactly("pet 18");
  }

  @Test
  void aPageOfAShopThatIsDownSaysWhatIsMissing() {
    nodes.forEach(Node::close);
    try (FrontEnd hasty =
        FrontEnd.connect(
            FrontEndConfig.builder(servers)
                .multicastPort(0)
                .deadline(Duration.ofMillis(100))
                .build())) {
      PetStore down = new PetStore(hasty);

      Page page = down.page("alice", "tabby", "cat", Duration.ofMillis(100));

      assertThat(page.missing()).hasSize(7);
      assertThat(page.pet()).isNull();
      assertThat(page.left()).isEmpty();
      assertThatThrownBy(() -> down.buy("alice", TABBY, AMPLE))
          .isInstanceOf(UnknownOutcomeException.class);
    }
  }
}

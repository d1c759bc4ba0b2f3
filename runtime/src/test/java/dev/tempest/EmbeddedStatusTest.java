package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.admin.Admin;
import dev.tempest.admin.CollectionStatus;
import dev.tempest.admin.MemberStatus;
import dev.tempest.admin.NodeStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a tool sees of nodes with real sockets. */
@Timeout(60)
final class EmbeddedStatusTest {
  @AutoClose private final JoinedNodes nodes = new JoinedNodes();
  private final Node one = nodes.join();

  @BeforeEach
  void anotherOneJoins() {
    nodes.join();
  }

  @Test
  void membersAndCollectionsAreTold() {
    Map<String, Long> carts = one.map("carts");
    for (long i = 0; i < 1_000; i++) {
      carts.put("customer-%04d".formatted(i), i);
    }
    one.counter("visits");
    // A node without writes looks for state once more when the first other comes.
    eventually("state", () -> status(one).services().getFirst().active());

    NodeStatus status = status(one);

    assertThat(status.members())
        .extracting(MemberStatus::address)
        .containsExactlyInAnyOrderElementsOf(one.members())
        .startsWith(one.members().getFirst());
    assertThat(status.members()).noneMatch(MemberStatus::silent);
    assertThat(status.membersMore()).isZero();
    assertThat(status.collections())
        .extracting(each -> each.service() + " " + each.collection())
        .containsExactly("collections map 'carts'", "collections counter 'visits'");
    CollectionStatus map = status.collections().getFirst();
    assertThat(map.entries()).isEqualTo(1_000);
    assertThat(map.sizeBytes().orElseThrow()).isBetween(14_000L, 50_000L);
    assertThat(status.services()).hasSize(1);
    assertThat(status.services().getFirst().lagMillis()).isPresent();
    assertThat(status.clockOffset().abs()).isLessThan(Duration.ofDays(1)); // Not a time of day.
  }

  @Test
  void whatAnAnswerHasNoRoomForIsCounted() {
    for (int i = 0; i < 300; i++) {
      one.map("map-" + i);
    }
    one.<String, String>map("full").put("a", "b");

    NodeStatus status = status(one);

    assertThat(status.collections()).hasSize(16);
    assertThat(status.collections().getFirst().collection()).isEqualTo("map 'full'");
    assertThat(status.collectionsMore()).isEqualTo(301 - 16);
  }

  @Test
  void theBytesOfLargeValuesAreNotKnown() {
    one.<String, byte[]>map("films").put("a", new byte[1 << 20]);

    CollectionStatus films = status(one).collections().getFirst();

    assertThat(films.entries()).isEqualTo(1);
    assertThat(films.sizeBytes()).isEmpty();
  }

  private NodeStatus status(Node node) {
    String address = node.members().getFirst();
    FrontEndConfig servers =
        FrontEndConfig.builder(List.of(address)).cluster(nodes.config().cluster()).build();
    try (Admin admin = Admin.connect(servers)) {
      return Objects.requireNonNull(admin.status().get(address));
    }
  }
}

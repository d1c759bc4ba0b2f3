package dev.tempest.runtime.node;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.order.Replica;
import dev.tempest.runtime.FreePorts;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node whose collections a bug has stopped. */
@Timeout(60)
class StoppedCollectionsTest {
  private final List<Integer> ports = FreePorts.find(2);
  private final List<String> members = ports.stream().map(port -> "127.0.0.1:" + port).toList();

  @Test
  void leavesItsClusterByItselfAndTheOthersGoOn() throws Exception {
    try (LocalNode healthy = LocalNode.start(config(0), List.of());
        LocalNode broken = LocalNode.start(config(1), List.of())) {
      assertThat(healthy.awaitActive(Duration.ofSeconds(30))).isTrue();
      assertThat(broken.awaitActive(Duration.ofSeconds(30))).isTrue();
      eventually("both are members", () -> healthy.members().size() == 2);

      stopCollections(broken);

      assertThat(broken.awaitEnd()).hasValueSatisfying(why -> assertThat(why).contains("bug"));
      eventually("it has left", () -> healthy.members().equals(members.subList(0, 1)));
      Map<String, String> map =
          healthy.declare("map", state -> state.map("map", String.class, String.class));
      map.put("key", "value");
      assertThat(map).containsEntry("key", "value");
      assertThat(broken.status().services()).noneMatch(each -> each.active());
    }
  }

  private NodeConfig config(int number) {
    return NodeConfig.builder()
        .cluster("stops")
        .listen(members.get(number))
        .members(members.toArray(String[]::new))
        .multicastPort(0)
        .build();
  }

  /** As a bug in Tempest does. */
  private static void stopCollections(LocalNode node) throws ReflectiveOperationException {
    Field state = LocalNode.class.getDeclaredField("state");
    state.setAccessible(true);
    Object broken =
        Proxy.newProxyInstance(
            Replica.class.getClassLoader(),
            new Class<?>[] {Replica.class},
            (proxy, method, arguments) -> {
              throw new AssertionError("broken on purpose");
            });
    Field shared = ReplicatedState.class.getDeclaredField("replica");
    shared.setAccessible(true);
    Field replica = SharedReplica.class.getDeclaredField("replica");
    replica.setAccessible(true);
    replica.set(shared.get(state.get(node)), broken);
  }
}

package dev.tempest.runtime.node;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Replica;
import dev.tempest.runtime.FreePorts;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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

      assertThat(broken.awaitEnd())
          .hasValueSatisfying(why -> assertThat(why).contains("have stopped"));
      eventually("it has left", () -> healthy.members().equals(members.subList(0, 1)));
      Map<String, String> map =
          healthy.declare("map", state -> state.map("map", String.class, String.class));
      map.put("key", "value");
      assertThat(map).containsEntry("key", "value");
      assertThat(broken.status().services()).noneMatch(each -> each.active());
    }
  }

  @Test
  void stopWhereWhatReadersUsedCannotBeWritten() throws Exception {
    try (LocalNode broken = LocalNode.start(config(0), List.of())) {
      assertThat(broken.awaitActive(Duration.ofSeconds(30))).isTrue();
      ((ReplicatedState) field(LocalNode.class, "state").get(broken))
          .later(() -> {
            throw new AssertionError("broken on purpose");
          });
      assertThat(broken.awaitEnd())
          .hasValueSatisfying(
              why -> assertThat(why).startsWith("all of its services have stopped"));
    }
  }

  /** Its threads let the replica act themselves, and it is in no state to be used afterwards. */
  @Test
  void linearizableOnesStopByABugThatAThreadOfTheApplicationMeets() throws Exception {
    NodeConfig config =
        NodeConfig.builder()
            .listen(members.getFirst())
            .members(members.getFirst())
            .multicastPort(0)
            .collection(
                "*", CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build())
            .build();
    try (LocalNode node = LocalNode.start(config, List.of())) {
      assertThat(node.awaitActive(Duration.ofSeconds(30))).isTrue();
      Map<String, String> map =
          node.declare("map", state -> state.map("map", String.class, String.class));
      map.put("key", "value");
      AgreedState agreed = (AgreedState) field(LocalNode.class, "agreed").get(node);
      breakWhere(
          field(AgreedReplica.class, "replica").get(agreed.replica()),
          arguments -> arguments.length > 0 && arguments[0] instanceof Event.Acted);

      assertThatThrownBy(() -> map.put("key", "other")).hasMessage("broken on purpose");

      eventually(
          "they have stopped",
          () -> node.status().services().stream().filter(each -> each.active()).count() == 1);
      assertThatThrownBy(() -> map.get("key")).hasMessageContaining("have stopped");
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
    Object state = field(LocalNode.class, "state").get(node);
    breakWhere(field(ReplicatedState.class, "replica").get(state), whatever -> true);
  }

  /** The replica throws at whatever is asked of it, or at some of it. */
  private static void breakWhere(Object shared, Predicate<Object[]> isBroken)
      throws ReflectiveOperationException {
    Field replica = field(SharedReplica.class, "replica");
    Object real = replica.get(shared);
    Object broken =
        Proxy.newProxyInstance(
            Replica.class.getClassLoader(),
            new Class<?>[] {Replica.class},
            (proxy, method, arguments) -> {
              if (isBroken.test(arguments == null ? new Object[0] : arguments)) {
                throw new AssertionError("broken on purpose");
              }
              return method.invoke(real, arguments);
            });
    replica.set(shared, broken);
  }

  private static Field field(Class<?> owner, String name) throws ReflectiveOperationException {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}

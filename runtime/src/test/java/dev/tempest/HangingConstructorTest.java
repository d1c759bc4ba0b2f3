package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.example.Hanging;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.FreePorts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The constructor of a record that never returns, where a node brings what another one wrote. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HangingConstructorTest {
  private static final CollectionConfig LINEARIZABLE =
      CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build();

  private final JoinedNodes nodes = new JoinedNodes();
  private final Logged logged = new Logged();

  @AfterEach
  void close() {
    Hanging.end();
    nodes.close();
    logged.close();
  }

  private Node joinAt(int port) {
    return nodes.join(impatient().toBuilder().listen("127.0.0.1:" + port).build());
  }

  private NodeConfig impatient() {
    return nodes.config().toBuilder().deadline(Duration.ofMillis(500)).build();
  }

  @Test
  void whoWritesOrDeclaresIsRefusedInTimeAndWhatRunsIsNamed() {
    Node one = nodes.join();
    int port = FreePorts.find(1).getFirst();
    Node two = joinAt(port);
    Map<String, Integer> others = two.map("others", String.class, Integer.class);
    hang(one, two, "tempest-" + port);
    assertThatExceptionOfType(OverloadedException.class)
        .isThrownBy(() -> others.put("a", 1))
        .withMessageContaining("has not returned");
    assertThatExceptionOfType(OverloadedException.class)
        .isThrownBy(() -> two.batch(2, () -> others.put("b", 1)));
    assertThatExceptionOfType(OverloadedException.class)
        .isThrownBy(() -> two.map("new", String.class, Integer.class));
    assertThatExceptionOfType(OverloadedException.class).isThrownBy(two::handle);
    eventually("it is named", () -> logged.says("In collections, com.example.Hanging."));
    Hanging.end();
    eventually("it can be written to", () -> canPut(others, "c"));
    assertThat(others).containsOnlyKeys("c");
    Map<String, Integer> there = one.map("others", String.class, Integer.class);
    eventually("the other has it", () -> there.containsKey("c"));
    assertThat(there).containsOnlyKeys("c");
  }

  private static boolean canPut(Map<String, Integer> map, String key) {
    try {
      map.put(key, 1);
      return true;
    } catch (OverloadedException inUse) {
      return false;
    }
  }

  @Test
  void listenersHearOfWhatComesAfterItAndWhoWaitsIsAnsweredInTime() throws Exception {
    Node one = nodes.join();
    int port = FreePorts.find(1).getFirst();
    Node two = joinAt(port);
    Set<String> heard = ConcurrentHashMap.newKeySet();
    Map<String, Integer> others = two.map("others", String.class, Integer.class);
    var unused = two.listen(others, (key, before, after) -> heard.add(key));
    hang(one, two, "tempest-" + port);
    Map<String, Integer> there = one.map("others", String.class, Integer.class);
    there.put("a", 1);
    assertThat(two.awaitSeen(one.handle(), Duration.ofMillis(1_500))).isFalse();
    Hanging.end();
    eventually("what came meanwhile is heard", () -> heard.contains("a"));
    there.put("b", 1);
    eventually("what comes then is heard", () -> heard.contains("b"));
    assertThat(two.awaitSeen(one.handle(), Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void itKeepsNobodyFromClosing() {
    Node one = nodes.join();
    int port = FreePorts.find(1).getFirst();
    Node two = joinAt(port);
    hang(one, two, "tempest-" + port);
    two.close();
    assertThat(logged.texts())
        .anyMatch(each -> each.matches("Closed, although com.example.Hanging.*has not returned"));
  }

  @Test
  void nobodyWaitsForItWithLinearizableCollectionsEither() {
    List<String> members = FreePorts.find(2).stream().map(port -> "127.0.0.1:" + port).toList();
    CompletableFuture<Node> joining = CompletableFuture.supplyAsync(() -> join(members, 0));
    Node two = join(members, 1);
    Node one = joining.join();
    var othersOfOne = one.map("others", String.class, Integer.class);
    var othersOfTwo = two.map("others", String.class, Integer.class);
    String thread = hang(one, two, "tempest-"); // Whoever leads reads it first.
    boolean isOne = thread.endsWith(members.getFirst().substring("127.0.0.1:".length()));
    Node hung = isOne ? one : two;
    Map<String, Integer> others = isOne ? othersOfOne : othersOfTwo;
    assertThatExceptionOfType(OverloadedException.class)
        .isThrownBy(() -> others.put("a", 1))
        .withMessageContaining("has not returned");
    assertThatExceptionOfType(OverloadedException.class).isThrownBy(() -> others.get("a"));
    assertThatExceptionOfType(OverloadedException.class)
        .isThrownBy(() -> hung.map("new", String.class, Integer.class));
    hung.close();
  }

  private Node join(List<String> members, int index) {
    NodeConfig config =
        impatient().toBuilder()
            .listen(members.get(index))
            .members(members.toArray(String[]::new))
            .multicastPort(0)
            .collection("*", LINEARIZABLE)
            .build();
    return Tempest.join(config);
  }

  /**
   * A node hangs with what the first one writes, where its thread has this name.
   *
   * @return the name of the thread
   */
  private static String hang(Node one, Node two, String threads) {
    Map<String, Hanging> hanging = one.map("hanging", String.class, Hanging.class);
    assertThat(two.map("hanging", String.class, Hanging.class)).isEmpty();
    Hanging value = new Hanging(1);
    Hanging.begin(threads);
    Thread.ofVirtual().start(() -> hanging.put("k", value)); // Where it is linearizable, it waits.
    return Hanging.await();
  }
}

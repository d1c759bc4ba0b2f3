package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.config.NodeConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one node has seen, awaited at another one. */
@Timeout(60)
final class NodeHandleTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static int clusters;

  private final NodeConfig config =
      NodeConfig.builder()
          .cluster("handles-" + ProcessHandle.current().pid() + "-" + clusters++)
          .listen("127.0.0.1")
          .build();
  private final List<Node> nodes = new ArrayList<>();

  @AfterEach
  void leave() {
    nodes.forEach(Node::close);
  }

  @Test
  void whoWroteAtOneNodeReadsHisWriteAtTheOther() throws InterruptedException {
    Node one = join();
    Node two = join();
    Map<String, Integer> ours = one.map("m");
    Map<String, Integer> theirs = two.map("m");
    for (int i = 1; i <= 500; i++) {
      ours.put("a", i);
      assertThat(two.awaitSeen(Handle.parse(one.handle().toString()), LONG)).isTrue();
      assertThat(theirs.get("a")).isEqualTo(i);
      theirs.put("b", i);
      assertThat(one.awaitSeen(Handle.of(two.handle().toBytes()), LONG)).isTrue();
      assertThat(ours.get("b")).isEqualTo(i);
    }
    assertThat(one.handle().toBytes()).hasSizeLessThan(200);
  }

  @Test
  void aNodeThatJoinsLaterHasSeenWhatTheOthersHad() throws InterruptedException {
    Node one = join();
    Map<String, Integer> ours = one.map("m");
    ours.put("a", 1);
    Handle handle = one.handle();
    Node two = join();
    assertThat(two.awaitSeen(handle, LONG)).isTrue();
    assertThat(two.map("m", String.class, Integer.class)).containsEntry("a", 1);
  }

  @Test
  void whatDoesNotComeIsNotSeenInTime() throws InterruptedException {
    Node one = join();
    Node apart = Tempest.join(config.toBuilder().cluster(config.cluster() + "-b").build());
    nodes.add(apart);
    apart.map("m", String.class, Integer.class).put("a", 1);

    assertThat(one.awaitSeen(Handle.NOTHING, Duration.ZERO)).isTrue();
    assertThat(one.awaitSeen(apart.handle(), Duration.ZERO)).isFalse();
    assertThat(one.awaitSeen(apart.handle(), Duration.ofMillis(50))).isFalse();
    one.batch(() ->
        assertThatIllegalStateException().isThrownBy(() -> one.awaitSeen(Handle.NOTHING, LONG)));
  }

  private Node join() {
    Node node = Tempest.join(config);
    nodes.add(node);
    return node;
  }
}

package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.state.Merge;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.ServiceStatus;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replicas whose states are others although their updates are the same. */
final class DivergenceTest {
  /** Longer than the longest pause between two repairs. */
  private static final long LONG_MILLIS = 30_000;

  private final Nodes nodes = new Nodes();

  /** By node: one that does not give the same everywhere. */
  private final Map<Long, Merge<String>> merges = new TreeMap<>();

  @BeforeEach
  void start() {
    for (long id = 1; id <= 3; id++) {
      startWithMerge(id);
    }
    nodes.together(1, 2, 3);
    nodes.pass(1_000);
    nodes.node(1).put("k", "x");
    nodes.pass(1_000);
    nodes.sent();
  }

  private void startWithMerge(long id) {
    Merge<String> merge = Merge.of("signed", (before, added) -> before + added + "-" + id);
    merges.put(id, merge);
    nodes.start(id).state.register(merge);
  }

  private void merge(long id) {
    nodes.node(id).write(node -> node.map.merge("k", "y", Objects.requireNonNull(merges.get(id))));
  }

  private long sent(Class<? extends Message> kind) {
    return nodes.sent().stream().filter(kind::isInstance).count();
  }

  @Test
  void areNamedAndTakeTheStateOfTheLowestId() {
    merge(2);
    nodes.pass(5_000);
    assertThat(nodes.diverged)
        .containsExactlyInAnyOrder(
            "node 2 from node 1: [map 'map']", "node 3 from node 1: [map 'map']");
    assertThat(nodes.inStep()).isTrue();
    assertThat(nodes.node(3).get("k")).isEqualTo("xy-1");
    assertThat(
            List.of(
                nodes.node(1).replica.status("").diverged(),
                nodes.node(2).replica.status("").diverged()))
        .containsExactly(0L, 1L);
  }

  @Test
  void doNotTellThatTheyAgreeUntilTheyAreRepaired() {
    nodes.loses = Message.StatePiece.class::isInstance;
    merge(1);
    nodes.pass(5_000);
    for (long id = 2; id <= 3; id++) {
      assertThat(status(id).executed()).isEqualTo(status(1).executed());
      assertThat(status(id).hash()).isNotEqualTo(status(1).hash());
    }
    nodes.loses = message -> false;
    nodes.pass(LONG_MILLIS);
    assertThat(nodes.inStep()).isTrue();
    assertThat(status(2).hash()).isEqualTo(status(1).hash());
  }

  private ServiceStatus status(long id) {
    return nodes.node(id).replica.status("");
  }

  @Test
  void sayNothingMoreOnceTheyAreTheSame() {
    merge(2);
    nodes.pass(5_000);
    nodes.sent();
    nodes.diverged.clear();
    nodes.pass(LONG_MILLIS);
    nodes.node(1).put("other", "z");
    nodes.pass(5_000);
    assertThat(nodes.sent())
        .noneMatch(Message.StateSummary.class::isInstance)
        .noneMatch(Message.StateRequest.class::isInstance);
    assertThat(nodes.diverged).isEmpty();
  }

  /** Each update makes it differ again: reported and repaired again, but ever less often. */
  @Test
  void areRepairedLessAndLessOftenWhereTheyGoOnDiffering() {
    for (int i = 0; i < 1_200; i++) {
      merge(2);
      nodes.pass(100);
      if (i == 600) {
        assertThat(sent(Message.StateRequest.class)).isBetween(8L, 14L);
        nodes.diverged.clear();
      }
    }
    assertThat(sent(Message.StateRequest.class)).isBetween(4L, 8L);
    assertThat(nodes.diverged).hasSizeBetween(4, 8);
    nodes.pass(LONG_MILLIS);
    assertThat(nodes.inStep()).isTrue();
  }

  @Test
  void keepWhatWasWrittenWhileTheyAreRepaired() {
    merge(2);
    for (int i = 0; i < 50; i++) {
      nodes.node(3).put("a" + i, "3");
      nodes.node(2).put("b" + i, "2");
      nodes.pass(100);
    }
    nodes.pass(5_000);
    assertThat(nodes.diverged).isNotEmpty();
    assertThat(nodes.inStep()).isTrue();
    for (int i = 0; i < 50; i++) {
      assertThat(nodes.node(1).get("a" + i)).isEqualTo("3");
      assertThat(nodes.node(1).get("b" + i)).isEqualTo("2");
    }
  }

  @Test
  void areRepairedByTheLowestOfThoseWhoAreStillThere() {
    nodes.crash(1);
    nodes.together(2, 3);
    merge(2);
    nodes.pass(70_000);
    assertThat(nodes.diverged).containsExactly("node 3 from node 2: [map 'map']");
    assertThat(nodes.node(3).get("k")).isEqualTo("xy-2");
  }

  /** A lone replica compares with nobody; whoever comes is given its state. */
  @Test
  void areNoMatterWhereThereIsOnlyOne() {
    nodes.crash(1);
    nodes.crash(2);
    nodes.together(3);
    nodes.pass(70_000);
    merge(3);
    nodes.pass(1_000);
    startWithMerge(1);
    nodes.together(1, 3);
    nodes.pass(5_000);
    assertThat(nodes.node(1).get("k")).isEqualTo("xy-3");
    assertThat(nodes.diverged).isEmpty();
  }
}

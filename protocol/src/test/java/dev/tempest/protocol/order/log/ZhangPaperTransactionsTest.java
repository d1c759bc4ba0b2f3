package dev.tempest.protocol.order.log;

import static dev.tempest.protocol.order.log.HoldingsByHand.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.protocol.order.Order.ByConsensus.Log;
import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.service.execution.Transaction.Reply;
import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The claims of chapter VI, section A.4, of Zhang's thesis (2006): T-Paxos, in our words; where
 * ours is another on purpose, what it does instead (decision 83).
 */
final class ZhangPaperTransactionsTest {
  private static final long ANN = 101;
  private static final Reply COMMITTED = new Reply.Committed();

  private final HoldingsByHand grid = new HoldingsByHand();
  private final TransactionByHand transaction = new TransactionByHand(grid);

  @Test
  @DisplayName("VI.A.4: each request is answered at once, and replicas say nothing to each other")
  void eachRequestIsAnsweredAtOnce() {
    grid.group.takeSent();
    assertThat(transaction.ask(grid.leader(), "add", "jobs", 1L)).isEqualTo(1L);
    assertThat(transaction.ask(grid.followers().getFirst(), "add", "jobs", 1L)).isEqualTo(2L);
    assertThat(transaction.ask(grid.followers().getLast(), "count", "jobs")).isEqualTo(2L);
    assertThat(grid.takeProposed()).isEmpty();
    assertThat(grid.counts()).isEmpty();
  }

  @Test
  @DisplayName("VI.A.4: replicas agree once, when it commits, on all of its requests together")
  void replicasAgreeOnceOnAllOfThem() {
    transaction.ask(grid.leader(), "add", "jobs", 1L);
    transaction.ask(grid.leader(), "add", "nodes", 2L);
    transaction.ask(grid.leader(), "move", "nodes", "jobs", 1L);
    grid.group.takeSent();
    RequestId commit = transaction.commit(grid.group.living());
    grid.group.run(3);
    assertThat(grid.takeProposed()).allMatch(entries -> entries.size() == 1);
    assertThat(transaction.reply(commit)).isEqualTo(COMMITTED);
    assertThat(grid.counts()).isEqualTo(Map.of("jobs", 2L, "nodes", 1L));
  }

  @Test
  @DisplayName("VI.A.4: what aborts leaves nothing; ours: there is nobody to be told")
  void whatAbortsLeavesNothing() {
    transaction.ask(grid.leader(), "add", "jobs", 1L);
    transaction.ask(grid.leader(), "put", "nodes", 2L);
    assertThat(grid.counts()).isEmpty();
    assertThat(grid.update(ANN, "add", "jobs", 1L)).isEqualTo(1L);
  }

  @ParameterizedTest
  @EnumSource(Executes.class)
  @DisplayName("Ours: others have changed what it was told of: none of it counts, whoever executes")
  void noneOfItCountsIfItComesToSomethingElse(Executes executes) {
    HoldingsByHand any =
        new HoldingsByHand(
            3, new Order.ByConsensus(executes, Reads.LINEARIZABLE, Log.MEMORY), 1 << 20);
    TransactionByHand late = new TransactionByHand(any);
    late.ask(any.leader(), "put", "nodes", 2L);
    late.ask(any.leader(), "count", "jobs");
    any.update(ANN, "add", "jobs", 1L);
    RequestId commit = late.commit(any.group.living());
    any.group.run(100);
    assertThat(late.reply(commit)).isInstanceOf(Reply.Stale.class);
    assertThat(any.counts()).isEqualTo(Map.of("jobs", 1L));
    assertThat(late.ask(any.leader(), "count", "nodes")).isInstanceOf(Reply.Stale.class);
  }

  @Test
  @DisplayName(
      "VI.A.4: the leader switches: it has to be aborted; ours: it commits at the next one")
  void aSwitchOfTheLeaderAbortsNothing() {
    transaction.ask(grid.leader(), "add", "jobs", 1L);
    grid.group.kill(grid.leader());
    grid.group.run(LONG);
    assertThat(transaction.ask(grid.leader(), "add", "jobs", 1L)).isEqualTo(2L);
    RequestId commit = transaction.commit(grid.group.living());
    grid.group.run(100);
    assertThat(transaction.reply(commit)).isEqualTo(COMMITTED);
    assertThat(grid.counts()).isEqualTo(Map.of("jobs", 2L));
  }

  @Test
  @DisplayName("VI.A.4: a commit that is asked for again counts once, and its answer is known")
  void aCommitThatIsAskedForAgainCountsOnce() {
    transaction.ask(grid.leader(), "add", "jobs", 1L);
    RequestId commit = transaction.commit(List.of(grid.leader()));
    grid.group.run(100);
    grid.group.kill(grid.leader());
    grid.group.run(LONG);
    transaction.commitAgain(commit, 1, grid.group.living());
    grid.group.run(100);
    assertThat(transaction.replies(commit)).hasSizeGreaterThan(1).containsOnly(COMMITTED);
    assertThat(grid.counts()).isEqualTo(Map.of("jobs", 1L));
  }
}

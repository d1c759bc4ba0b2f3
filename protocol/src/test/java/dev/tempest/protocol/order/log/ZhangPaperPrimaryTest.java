package dev.tempest.protocol.order.log;

import static dev.tempest.protocol.order.log.HoldingsByHand.LONG;
import static dev.tempest.protocol.order.log.HoldingsByHand.are;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The claims of chapter III of Zhang's thesis (2006), a primary and its backups, in our words, each
 * with its section; where ours is another on purpose, what it does instead and why.
 *
 * <p>Not claimed: states that the service extracts and injects itself, and checkpoints within a
 * request (III.A); a client that has to be told who is primary (Fig. III.1).
 */
final class ZhangPaperPrimaryTest {
  private static final long ANN = 101;

  private final HoldingsByHand grid = HoldingsByHand.withPrimary();

  private final long primary = grid.leader();

  private final long backup =
      grid.followers().stream().filter(grid.group::isActive).findFirst().orElseThrow();

  private final long third =
      grid.followers().stream().filter(each -> each != backup).findFirst().orElseThrow();

  /** The next update is at the primary only, or at both, and nobody has answered it. */
  private RequestId unanswered(boolean atBackup, String name, Object... arguments) {
    grid.group.lose(
        atBackup
            ? are(said -> said instanceof LogMessage.Accepted).or(Reply.class::isInstance)
            : are(HoldingsByHand::proposes).or(Reply.class::isInstance));
    RequestId request = grid.send(ANN, grid.group.living(), name, arguments);
    grid.group.run(10);
    assertThat(grid.answers(request)).isEmpty();
    return request;
  }

  @Nested
  final class StateTransfer {
    @Test
    @DisplayName("III.A: a client is answered once all backups have the change, and not before")
    void answersOnceAllHaveTheChange() {
      RequestId request = unanswered(/* atBackup= */ false, "add", "jobs", 1L);
      grid.group.heal();
      grid.group.run(LONG);
      assertThat(grid.answers(request)).containsOnly(1L);
      assertThat(grid.counts(primary)).isEqualTo(grid.counts(backup)).isEqualTo(Map.of("jobs", 1L));
    }

    @Test
    @DisplayName("III.A: what the primary executed is sent, so a service may draw lots")
    void oneExecutes() {
      Object drawn = grid.update(ANN, "draw", "job");
      grid.group.run(LONG);
      assertThat(grid.runs()).isOne();
      assertThat(grid.counts(primary)).isEqualTo(Map.of("job", drawn));
      assertThat(grid.counts(backup)).isEqualTo(Map.of("job", drawn));
    }

    /** It is what the update wrote, which Tempest knows without the service's help. */
    @Test
    @DisplayName("III.A: what changed is sent, however large the rest of the state is")
    void theChangeIsSent() {
      grid.update(ANN, "note", "large", "x".repeat(30_000));
      grid.takeProposedBytes();
      grid.update(ANN, "add", "jobs", 1L);
      assertThat(grid.takeProposedBytes()).isPositive().isLessThan(1_000);
    }
  }

  @Nested
  final class Failover {
    @Test
    @DisplayName("III.A: silence of the primary makes the backup primary")
    void theBackupSucceeds() {
      grid.update(ANN, "add", "jobs", 1L);
      grid.group.kill(primary);
      assertThat(grid.update(ANN, "add", "jobs", 1L)).isEqualTo(2L);
      assertThat(grid.leader()).isEqualTo(backup);
    }

    /** Front-ends send an update to all servers: none has to be told to send it again. */
    @Test
    @DisplayName("III.A: what was in flight is answered by the next primary, without being resent")
    void whatWasInFlightIsAnswered() {
      RequestId request = unanswered(/* atBackup= */ false, "add", "jobs", 1L);
      grid.group.kill(primary);
      grid.group.heal();
      grid.group.run(LONG);
      assertThat(grid.answers(request)).containsOnly(1L);
    }

    @Test
    @DisplayName("III.A: it answers with what the old primary came to, if it has that")
    void theOldResultCounts() {
      RequestId request = unanswered(/* atBackup= */ true, "draw", "job");
      grid.group.kill(primary);
      grid.group.heal();
      grid.group.run(LONG);
      assertThat(grid.runs()).isOne();
      assertThat(grid.answers(request)).containsOnly(grid.counts(backup).get("job"));
    }

    @Test
    @DisplayName(
        "III.B, Fig. III.2: a request that is complete is answered again, and not executed")
    void nothingRunsTwice() {
      grid.update(ANN, "add", "jobs", 1L);
      grid.group.kill(primary);
      grid.group.run(LONG);
      RequestId request = grid.send(ANN, grid.group.living(), "add", "jobs", 1L);
      grid.group.run(LONG);
      grid.again(request, 1, grid.group.living());
      grid.group.run(LONG);
      assertThat(grid.answers(request)).hasSizeGreaterThan(1).containsOnly(2L);
      assertThat(grid.counts(backup)).isEqualTo(Map.of("jobs", 2L));
    }

    @Test
    @DisplayName("III.A: the end of a backup does not interfere")
    void aBackupMayEnd() {
      grid.update(ANN, "add", "jobs", 1L);
      grid.group.kill(backup);
      assertThat(grid.update(ANN, "add", "jobs", 1L)).isEqualTo(2L);
      assertThat(grid.leader()).isEqualTo(primary);
    }

    /** The thesis leaves open how a new backup comes in. */
    @Test
    @DisplayName("III.A: another server becomes backup, with the state, and may be primary next")
    void anotherBecomesBackup() {
      grid.update(ANN, "add", "jobs", 1L);
      grid.group.kill(primary);
      grid.group.run(LONG);
      assertThat(grid.group.isActive(third)).isTrue();
      grid.group.kill(backup);
      grid.group.run(LONG);
      assertThat(grid.leader()).isEqualTo(third);
      assertThat(grid.counts(third)).isEqualTo(Map.of("jobs", 1L));
    }
  }

  /** The thesis assumes a detector that is never wrong. */
  @Nested
  final class FalseSuspicion {
    @Test
    @DisplayName("III.D: a primary that was only slow does no harm: it counts for nobody any more")
    void theOldPrimaryCountsForNobody() {
      grid.update(ANN, "add", "jobs", 1L);
      grid.group.kill(primary);
      assertThat(grid.update(ANN, "add", "jobs", 1L)).isEqualTo(2L);
      grid.group.wake(primary);
      RequestId late = grid.send(ANN, List.of(primary), "add", "jobs", 1L);
      grid.group.run(LONG);
      assertThat(grid.leader()).isNotEqualTo(primary);
      assertThat(grid.counts(grid.leader())).isIn(Map.of("jobs", 2L), Map.of("jobs", 3L));
      assertThat(grid.answers(late)).isSubsetOf(3L);
    }

    @Test
    @DisplayName("III.D: nor does it read what is outdated")
    void theOldPrimaryReadsNothingOutdated() {
      grid.group.kill(primary);
      assertThat(grid.update(ANN, "add", "jobs", 1L)).isEqualTo(1L);
      grid.group.wake(primary);
      RequestId read = grid.ask(primary, "jobs", null);
      grid.group.run(LONG);
      assertThat(grid.answers(read)).doesNotContain(0L);
    }
  }
}

package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.protocol.order.Applied;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Restored;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.SlotEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What comes back of a checkpoint, and of a log beside it. */
final class CheckpointByConsensusTest {
  private static final long REPLICA = 42;
  private static final long ANOTHER = 43;
  private static final long SLOT = 7;
  private static final Ballot BALLOT = new Ballot(3, REPLICA);
  private static final List<LogMessage.Stored> LOG =
      List.of(
          new LogMessage.Prepare(BALLOT),
          new LogMessage.Accept(BALLOT, 0, List.of(new SlotEntry.Begun(BALLOT)), 0, false));

  private final ServiceInstance service = Numbers.instance();
  private final LogState state =
      new LogState(
          new LogPoint(SLOT, List.of(REPLICA), 0, 0, 0),
          new Applied(service.emptyVersion(), ClientTable.EMPTY));

  private RestoringByConsensus read(long... writers) {
    RestoringByConsensus restoring = new RestoringByConsensus(ReplicasByHand.SERVICE, service);
    int next = 0;
    for (long writer : writers) {
      var pieces =
          new CheckpointByConsensus(ReplicasByHand.SERVICE, writer, service, state, 1_000).pieces();
      for (int skipped = 0; skipped < next; skipped++) {
        pieces.next();
      }
      restoring.take(pieces.next());
      next++;
    }
    return restoring;
  }

  @Test
  void aReplicaGoesOnWithItsOwn() {
    Restored checkpoint = read(REPLICA, REPLICA).restored(1);
    assertThat(checkpoint.replica()).isEqualTo(REPLICA);
    assertThat(RestoredByConsensus.of(checkpoint, REPLICA, LOG).mark()).isEqualTo(SLOT);
  }

  /**
   * By what it has told, it lacks what is in that: its leader would give it what lies before, and
   * hear nothing.
   */
  @Test
  void thatOfAReplicaWhichWasHereBeforeDoesNotCount() {
    Restored checkpoint = read(REPLICA, REPLICA).restored(1);
    RestoredByConsensus another = RestoredByConsensus.of(checkpoint, ANOTHER, LOG);
    assertThat(another.mark()).isZero();
    assertThat(another.acceptor().log().length()).isOne();
    assertThat(RestoredByConsensus.of(null, ANOTHER, LOG).mark()).isZero();
  }

  @Test
  void piecesOfTwoReplicasAreNoCheckpoint() {
    assertThatThrownBy(() -> read(REPLICA, ANOTHER)).isInstanceOf(MalformedException.class);
  }
}

package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Change;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import org.junit.jupiter.api.Test;

/** A disk that answers nothing costs the group an election at most, and its replica no memory. */
final class HungDiskTest {
  private static final long LONG = 10 * ByHand.ELECTION;

  /** So much may be on its way to any replica: 16 messages of 4 entries. */
  private static final int WINDOW = 16 * 4;

  private final ByHand group = new ByHand(true, 1L, 2L, 3L);
  private long proposed;

  @Test
  void aLeaderHandsOverBeforeTooMuchWaitsForItsDisk() {
    long leader = leaderAfter(LONG);
    group.hangDisk(leader);
    int usual = group.committed(leader % 3 + 1).size();
    proposeFor(100 * LONG);
    assertThat(group.waiting(leader)).isLessThan(5 * WINDOW);
    assertThat(leaderAfter(0)).isNotEqualTo(leader);
    assertThat(group.committed(leader % 3 + 1)).hasSizeGreaterThan(usual + 50 * WINDOW);
    group.freeDisk(leader);
    group.run(10 * LONG, 1L, 2L, 3L);
    assertThat(group.committed(leader)).hasSameSizeAs(group.committed(leader % 3 + 1));
  }

  @Test
  void littleThatWaitsDeposesNobody() {
    long leader = leaderAfter(LONG);
    group.hangDisk(leader);
    group.propose(leader, next());
    group.run(10 * LONG, 1L, 2L, 3L);
    assertThat(leaderAfter(0)).isEqualTo(leader);
    assertThat(group.committed(leader)).hasSameSizeAs(group.committed(leader % 3 + 1));
  }

  /** It would promise what it cannot keep, and refuse those who lead meanwhile. */
  @Test
  void whoseDiskHangsAsksNobodyToFollow() {
    long leader = leaderAfter(LONG);
    long other = leader % 3 + 1;
    group.hangDisk(other);
    group.propose(leader, next());
    group.run(LONG, 1L, 2L, 3L); // So that something waits there.
    group.run(10 * LONG, other, other % 3 + 1); // The leader is cut off.
    assertThat(group.machine(other).ballot().replica()).isNotEqualTo(other);
    assertThat(group.machine(other % 3 + 1).ballot().replica()).isNotEqualTo(other);
    group.freeDisk(other);
    group.run(10 * LONG, other, other % 3 + 1);
    assertThat(group.leader(other, other % 3 + 1)).isNotEqualTo(leader);
  }

  /** If it hangs from then on, it gives up, and follows others again. */
  @Test
  void whoCannotStoreItsOwnPromiseGivesUp() {
    long leader = leaderAfter(LONG);
    long other = leader % 3 + 1;
    group.holdBack(other % 3 + 1);
    group.lose((to, message) -> {
      if (to == other && message instanceof LogMessage.PreVoted) {
        group.hangDisk(to);
      }
      return false;
    });
    group.run(LONG, other, other % 3 + 1); // The leader is cut off.
    assertThat(group.machine(other).ballot().replica()).isEqualTo(other);
    group.run(10 * LONG, 1L, 2L, 3L);
    long next = leaderAfter(0);
    assertThat(next).isNotEqualTo(other);
    assertThat(group.machine(other).ballot()).isEqualTo(group.machine(next).ballot());
  }

  private long leaderAfter(long time) {
    group.run(time, 1L, 2L, 3L);
    return group.leader(1L, 2L, 3L);
  }

  private void proposeFor(long time) {
    for (long past = 0; past < time; past++) {
      for (long id = 1; id <= 3; id++) {
        if (group.machine(id).serves()) {
          group.propose(id, next());
        }
      }
      group.run(1, 1L, 2L, 3L);
    }
  }

  private SlotEntry.Proposed next() {
    return new SlotEntry.Proposed(
        new RequestId(1, ++proposed), 0, 0, new Change(Bytes.of((byte) 7)));
  }
}

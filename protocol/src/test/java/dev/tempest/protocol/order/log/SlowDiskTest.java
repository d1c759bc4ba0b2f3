package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Change;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One disk of three that is slow, whosever it is, slows no update: the two others are enough. */
final class SlowDiskTest {
  private static final int UPDATES = 500;
  private static final Long[] ALL = {1L, 2L, 3L};

  /** Longer than a leader may be silent. */
  private static final long SYNC = ByHand.ELECTION + ByHand.HEARTBEAT;

  private final ByHand group = new ByHand(true, ALL);
  private long slow;

  @ParameterizedTest(name = "{0} after the leader")
  @ValueSource(longs = {0, 1, 2})
  void slowsNoUpdate(long place) {
    group.run(3 * ByHand.ELECTION, ALL);
    long leader = group.leader(ALL);
    long usual = longest(leader);
    slow = (leader - 1 + place) % 3 + 1;
    group.hangDisk(slow);
    assertThat(longest(leader)).isEqualTo(usual).isLessThan(5);
    assertThat(group.leader(ALL)).isEqualTo(leader);
  }

  /** With two that are, a majority has to wait. */
  @Test
  void twoSlowDisksSlowAll() {
    group.run(3 * ByHand.ELECTION, ALL);
    long leader = group.leader(ALL);
    group.hangDisk(leader % 3 + 1);
    slow = leader;
    group.hangDisk(slow);
    assertThat(longest(leader)).isGreaterThan(SYNC / 2);
  }

  /** The longest time until one of many updates, one after the other, is committed there. */
  private long longest(long leader) {
    long longest = 0;
    for (int update = 1; update <= UPDATES; update++) {
      long before = group.now();
      int committed = group.committed(leader).size();
      RequestId id = new RequestId(1, before * UPDATES + update);
      group.propose(leader, new SlotEntry.Proposed(id, 0, 0, new Change(Bytes.of((byte) 7))));
      while (group.committed(leader).size() == committed && group.now() < before + 10 * SYNC) {
        group.run(1, ALL);
        sync();
      }
      longest = Math.max(longest, group.now() - before);
    }
    return longest;
  }

  /** What waited for so long is on the disk. */
  private void sync() {
    if (slow != 0 && group.now() % SYNC == 0) {
      group.freeDisk(slow);
      group.hangDisk(slow);
    }
  }
}

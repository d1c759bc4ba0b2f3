package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.protocol.order.Order.ByConsensus.Log;
import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.state.versioned.WrittenKeys;
import dev.tempest.wire.LogMessage;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What threads read at a member of whose log not all is committed. */
final class ReadsAloneTest {
  private final SharedMapByHand shared =
      new SharedMapByHand(new Order.ByConsensus(Executes.LEADER, Reads.LOCAL, Log.MEMORY));
  private final ReplicasByHand group = shared.group;
  private final long leader = group.leader();
  private final long follower =
      group.living().stream().filter(each -> each != leader).findFirst().orElseThrow();

  ReadsAloneTest() {
    shared.execute(leader, map -> map.put("early", 1L));
    group.run(100);
  }

  @Test
  void allIsCertainWhereAllIsCommitted() {
    assertThat(group.living()).allMatch(each -> shared.isCertain(each, Map::size));
  }

  @Test
  void ofWhatIsOnItsWayOnlyWhatItWritesIsNot() {
    shared.execute(leader, map -> map.put("late", 1L));
    acceptWhatIsOnItsWay();
    assertThat(shared.isCertain(follower, map -> map.containsKey("early"))).isTrue();
    assertThat(shared.isCertain(follower, map -> map.containsKey("late"))).isFalse();
    assertThat(shared.isCertain(follower, Map::size)).isFalse();
    assertThat(shared.isCertain(leader, map -> map.containsKey("early"))).isTrue();
    assertThat(shared.isCertain(leader, map -> map.containsKey("late"))).isFalse();
    group.run(5);
    assertThat(shared.isCertain(follower, map -> map.containsKey("late"))).isTrue();
  }

  @Test
  void whereMoreIsOnItsWayThanIsLookedAtNothingIs() {
    HoldingsByHand grid = HoldingsByHand.reading(Reads.LOCAL);
    grid.update(1, "add", "jobs", 1L);
    grid.group.run(100);
    grid.group.lose(HoldingsByHand.are(LogMessage.Accepted.class::isInstance));
    long leads = grid.group.leader();
    for (int i = 0; i <= Uncommitted.ENTRIES_MAX; i++) {
      assertThat(except(grid, leads)).isNotSameAs(WrittenKeys.EVERYTHING);
      grid.send(1, List.of(leads), "add", "jobs", 1L);
    }
    assertThat(except(grid, leads)).isSameAs(WrittenKeys.EVERYTHING);
    grid.group.heal();
    grid.group.run(100);
    assertThat(except(grid, leads)).isSameAs(WrittenKeys.NONE);
  }

  private static WrittenKeys except(HoldingsByHand grid, long id) {
    return Objects.requireNonNull(grid.group.replica(id).readsAlone()).certain().except();
  }

  private void acceptWhatIsOnItsWay() {
    for (int millis = 0; shared.isCertain(follower, Map::size); millis++) {
      assertThat(millis).isLessThan(10);
      group.run(1);
    }
  }
}

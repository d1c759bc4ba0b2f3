package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Event;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clocks that are far off, and what carries their stamps, stop nobody. */
final class FarClocksTest {
  private static final long DAY_MILLIS = 24 * 3_600_000L;

  private final Nodes nodes = new Nodes();

  @Test
  void repairsWithStampsFarAheadHoldNobodyUp() {
    var one = nodes.start(1);
    var two = nodes.start(2);
    nodes.together(1, 2);
    nodes.pass(500);
    one.put("a", "x");
    nodes.pass(200);
    Change change = (Change) one.replica.unsettled().getFirst().body();
    long yearAhead = Stamp.atMillis(nodes.nowNanos / Nodes.MILLI + 365 * DAY_MILLIS);
    for (long stamp : List.of(yearAhead, Long.MAX_VALUE)) {
      Entry entry = new Entry(new RequestId(7, 1 + stamp % 2), stamp, change);
      one.replica.step(
          new Event.Received(
              nodes.nowNanos, new Nodes.Place(2), new Message.Repair(42, 2, List.of(entry))));
      one.replica.checkInvariants();
    }
    one.put("a", "y");
    two.put("b", "z");
    nodes.pass(3_000);
    assertThat(nodes.all(replica -> replica.unsettled().isEmpty())).isTrue();
    assertThat(nodes.inStep()).isTrue();
    assertThat(one.get("b")).isEqualTo("z");
    assertThat(two.get("a")).isEqualTo("y");
  }
}

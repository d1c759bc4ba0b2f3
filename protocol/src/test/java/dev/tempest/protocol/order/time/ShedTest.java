package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Entry;
import dev.tempest.wire.RequestId;
import org.junit.jupiter.api.Test;

/** An update that a process has no time for is answered, and not executed. */
class ShedTest {
  private final Cluster cluster = new Cluster(2);

  @Test
  void itIsRefusedAndComesByGossipIfAnotherReplicaHasExecutedIt() {
    Entry entry = cluster.entry(7, 1, cluster.call("add", "a", 1));

    assertThat(cluster.shed(entry, 1)).singleElement().matches(each -> is(Reason.OVERLOADED, each));
    assertThat(cluster.replica(1).hasExecuted(new RequestId(7, 1))).isFalse();

    cluster.update(entry, 2);
    cluster.pass(1_000);
    assertThat(cluster.replica(1).hasExecuted(new RequestId(7, 1))).isTrue();
  }

  @Test
  void whatWasExecutedIsAnsweredAsBefore() {
    Entry entry = cluster.entry(7, 1, cluster.call("add", "a", 1));
    var answers = cluster.update(entry, 1);

    assertThat(cluster.shed(entry, 1)).isEqualTo(answers);
  }

  @Test
  void onceItsStampHasExpiredThatIsSaid() {
    Entry entry = cluster.entry(7, 1, cluster.call("add", "a", 1));
    cluster.pass(2_000);

    assertThat(cluster.shed(entry, 1))
        .singleElement()
        .matches(each -> is(Reason.STAMP_EXPIRED, each));
  }

  private static boolean is(Reason reason, Answer answer) {
    return answer instanceof Answer.Refused refused && refused.reason() == reason;
  }
}

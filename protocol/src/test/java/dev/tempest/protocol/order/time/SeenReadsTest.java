package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tempest.protocol.order.Stamp;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Entry;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.SeenRead;
import dev.tempest.wire.Message.SeenReply;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByTime;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A replica reads for a client only what is no older than what the client has seen. */
class SeenReadsTest {
  private static final long LONGEST_WAIT_MILLIS = 30;

  private final Cluster cluster = new Cluster(2);
  private long reads;

  @Test
  void whatWasReadIsSaidWithTheAnswer() {
    Entry one = update(1, 1);
    cluster.update(one, 1, 2);
    SeenReply reply = answered(ask(1, Seen.NOTHING));
    assertThat(seenOf(reply).clients())
        .extracting(SeenByTime.OfClient::client, SeenByTime.OfClient::sequences)
        .containsExactly(tuple(1L, IntervalSet.of(1, 1)));
    assertThat(seenOf(reply).stamp()).isEqualTo(one.stamp());
    cluster.pass(3_000); // It settles.
    assertThat(seenOf(answered(ask(1, Seen.NOTHING))).clients()).isEmpty();
    assertThat(seenOf(answered(ask(2, reply.seen()))).settled().count()).isEqualTo(1);
  }

  @Test
  void aReplicaThatLacksSomethingFetchesItAndAnswers() {
    Entry missed = update(1, 1);
    cluster.update(missed, 1);
    SeenReply reply = answered(ask(2, SeenByTime.of(missed.id(), missed.stamp())));
    assertThat(seenOf(reply).clients()).hasSize(1);
    assertThat(cluster.replica(2).hasExecuted(new RequestId(1, 1))).isTrue();
  }

  @Test
  void aReplicaThatCannotFetchItWaitsForItToArrive() {
    Entry late = update(1, 1);
    assertThat(ask(2, SeenByTime.of(late.id(), late.stamp()))).isEmpty();
    cluster.update(late, 2);
    assertThat(cluster.toClients()).anyMatch(SeenReply.class::isInstance);
    cluster.pass(LONGEST_WAIT_MILLIS);
    assertThat(cluster.toClients().stream().filter(SeenReply.class::isInstance)).hasSize(1);
  }

  @Test
  void aReplicaThatWaitedInVainSaysThatItIsBehind() {
    Entry missed = update(1, 1);
    cluster.silence(1);
    cluster.update(missed, 1);
    assertThat(ask(2, SeenByTime.of(missed.id(), missed.stamp()))).isEmpty();
    cluster.pass(LONGEST_WAIT_MILLIS);
    assertThat(cluster.toClients()).singleElement().matches(SeenReadsTest::isBehind);
  }

  @Test
  void whenTooManyWaitTheNextIsRefusedAtOnce() {
    Seen unknown = SeenByTime.of(new RequestId(9, 1), Stamp.atNanos(cluster.nowNanos));
    while (ask(2, unknown).isEmpty()) {
      assertThat(reads).isLessThan(1_000);
    }
    assertThat(cluster.toClients()).singleElement().matches(SeenReadsTest::isBehind);
    cluster.pass(LONGEST_WAIT_MILLIS);
    assertThat(cluster.toClients()).hasSize((int) reads);
  }

  @Test
  void whatAClientDidThatIsForgottenHasSettled() {
    update(1, 1);
    cluster.pass(3_000);
    assertThat(ask(1, SeenByTime.of(new RequestId(9, 1), 1)))
        .hasOnlyElementsOfType(SeenReply.class);
  }

  @Test
  void whatSettledElsewhereAndNotHereIsLacking() {
    cluster.update(update(1, 1), 1, 2);
    cluster.pass(3_000);
    Prefix here = seenOf(answered(ask(1, Seen.NOTHING))).settled();
    Prefix other = new Prefix(here.throughEpoch(), here.count(), here.hash() + 1);
    Prefix further = new Prefix(here.throughEpoch() + 1_000, here.count() + 1, here.hash());
    for (Prefix prefix : List.of(other, further)) {
      assertThat(ask(1, new SeenByTime(prefix, 0, List.of()))).isEmpty();
      cluster.pass(LONGEST_WAIT_MILLIS);
      assertThat(cluster.toClients()).singleElement().matches(SeenReadsTest::isBehind);
    }
  }

  private static boolean isBehind(Message message) {
    return message instanceof Reply reply
        && reply.answer() instanceof Answer.Refused(Reason reason, String detail)
        && reason == Reason.BEHIND;
  }

  private static SeenReply answered(List<Message> messages) {
    assertThat(messages).singleElement().isInstanceOf(SeenReply.class);
    return (SeenReply) messages.getFirst();
  }

  private static SeenByTime seenOf(SeenReply reply) {
    return (SeenByTime) reply.seen();
  }

  private Entry update(long client, long sequence) {
    return cluster.entry(client, sequence, cluster.call("add", "a", 1));
  }

  private List<Message> ask(long replica, Seen seen) {
    Read read = new Read(Cluster.SERVICE, new RequestId(1, ++reads), cluster.call("amount", "a"));
    return cluster.ask(replica, new SeenRead(read, seen));
  }
}

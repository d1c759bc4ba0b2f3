package dev.tempest.protocol.frontend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.protocol.frontend.Requests.Effect;
import dev.tempest.protocol.frontend.Requests.Event;
import dev.tempest.protocol.frontend.Requests.Settings;
import dev.tempest.protocol.order.Orders;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message.Beacon;
import dev.tempest.wire.Message.BeaconAnswer;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whom reads ask, and when requests are sent again. */
final class ReadsTest {
  private static final long SERVICE = 77;
  private static final long CLIENT = 4;
  private static final List<Long> REPLICAS = List.of(1L, 2L, 3L, 4L);
  private static final Answer DONE = new Answer.Returned(Bytes.of((byte) 1));
  private static final long MILLI = 1_000_000;
  private static final long RETRY_AFTER = 50 * MILLI;

  private final Requests requests = new Requests(new Settings(CLIENT, REPLICAS), Orders.routing());
  private long nowNanos = 1_700_000_000_000L * MILLI;
  private long lastTicket;

  ReadsTest() {
    requests.step(new Event.Open(nowNanos, CLIENT, 1, 50, 1));
  }

  @Test
  void aReadAsksThoseThatAnsweredTheLatestBeaconFirst() {
    answerBeacon(4, 2, 1, 3);
    assertThat(read(Reads.of(2))).containsExactly(4L, 2L);
    answerBeacon(3, 1, 2, 4);
    assertThat(read(Reads.of(2))).containsExactly(3L, 1L);
    assertThat(read(Reads.of(1))).containsExactly(3L);
    assertThat(read(Reads.of(9))).containsExactly(3L, 1L, 2L, 4L);
  }

  @Test
  void theFirstAnswerCountsAndTheOthersAreIgnored() {
    Read read = aRead(Reads.of(3));
    assertThat(reply(read, 2, DONE))
        .containsExactly(new Effect.Complete(lastTicket, new Completion.Answered(DONE)));
    assertThat(reply(read, 3, DONE)).isEmpty();
  }

  @Test
  void beaconsAreSentNowAndThenWhileThereAreReads() {
    assertThat(beaconsIn(step(Reads.of(1)))).hasSize(1);
    assertThat(beaconsIn(step(Reads.of(1)))).isEmpty();
    nowNanos += 60_000 * MILLI; // In all that time nothing is due but the end of the reads.
    assertThat(beaconsIn(step(Reads.of(1)))).hasSize(1);
    assertThat(beaconsIn(step(Reads.of(1)))).isEmpty();
  }

  @Test
  void whoeverDoesNotAnswerTheBeaconDropsOutAndComesBack() {
    answerBeacon(1, 2, 3, 4);
    answerBeacon(2, 3, 4); // The fastest stopped.
    assertThat(read(Reads.of(2))).containsExactly(2L, 3L);
    answerBeacon(1, 2, 3, 4);
    assertThat(read(Reads.of(2))).containsExactly(1L, 2L);
  }

  @Test
  void anAnswerToAnEarlierBeaconComesTooLate() {
    BeaconAnswer late = new BeaconAnswer(SERVICE, beacon().id(), 4, 0, 0);
    answerBeacon(1, 2, 3);
    requests.step(new Event.Received(nowNanos, late));
    assertThat(read(Reads.of(3))).containsExactly(1L, 2L, 3L);
  }

  @Test
  void anOverloadedReplicaDropsOutUntilItIsNot() {
    answerBeacon(1, 2, 3, 4);
    Read read = aRead(Reads.of(1));
    requests.step(new Event.Received(nowNanos, replyOf(read, 1, 60, DONE)));
    assertThat(read(Reads.of(2))).containsExactly(2L, 3L);
    answerBeacon(1, 2, 3, 4);
    assertThat(read(Reads.of(2))).containsExactly(1L, 2L);
  }

  @Test
  void loadThatAllHaveIsNoReasonToDropOut() {
    Beacon beacon = beacon();
    for (long replica : REPLICAS) {
      requests.step(
          new Event.Received(nowNanos, new BeaconAnswer(SERVICE, beacon.id(), replica, 60, 0)));
    }
    assertThat(read(Reads.of(2))).containsExactly(1L, 2L);
  }

  @Test
  void aReplicaThatLetAReadWaitIsAskedLastUntilItAnswersABeacon() {
    answerBeacon(1, 2, 3, 4);
    aRead(Reads.of(1));
    assertThat(sentTo(tick())).containsExactly(2L);
    assertThat(read(Reads.of(3))).containsExactly(2L, 3L, 4L);
    answerBeacon(1, 2, 3, 4);
    assertThat(read(Reads.of(1))).containsExactly(1L);
  }

  @Test
  void hedgingAsksTheSecondOnlyWhenTheUsualTimeHasPassed() {
    answerBeacon(1, 2, 3, 4);
    learnThatAnswersTake(2 * MILLI);
    long startNanos = nowNanos;
    Read read = aRead(Reads.hedged(2));
    long hedgeNanos = requests.nextTickNanos() - startNanos;
    assertThat(hedgeNanos).isBetween(2 * MILLI, 4 * MILLI);
    assertThat(sentTo(tick())).containsExactly(2L);
    assertThat(requests.nextTickNanos() - startNanos).isBetween(3 * hedgeNanos, RETRY_AFTER);
    assertThat(reply(read, 1, DONE)).hasSize(1); // Who was slow is not silent.
    assertThat(read(Reads.hedged(2))).containsExactly(1L);
  }

  @Test
  void aHedgedReadThatIsAnsweredInTimeAsksOne() {
    answerBeacon(1, 2, 3, 4);
    learnThatAnswersTake(MILLI);
    Read read = aRead(Reads.hedged(3));
    assertThat(reply(read, 1, DONE)).hasSize(1);
    assertThat(requests.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theFirstRetryOfAnUpdateComesSoonerWhereAnswersAreFast() {
    assertThat(firstWaitOfAnUpdate()).isEqualTo(RETRY_AFTER);
    for (int i = 0; i < 100; i++) {
      update();
      nowNanos += MILLI / 2;
      answerUpdate(i + 2);
    }
    assertThat(firstWaitOfAnUpdate()).isBetween(MILLI, RETRY_AFTER - 1);
  }

  @Test
  void laterRetriesAreAsSlowAsConfigured() {
    for (int i = 0; i < 100; i++) {
      update();
      answerUpdate(i + 1);
    }
    update();
    nowNanos = requests.nextTickNanos();
    tick();
    assertThat(requests.nextTickNanos() - nowNanos).isEqualTo(RETRY_AFTER);
    nowNanos = requests.nextTickNanos();
    tick();
    assertThat(requests.nextTickNanos() - nowNanos).isEqualTo(2 * RETRY_AFTER);
  }

  @Test
  void nobodyIsNotAskedAnything() {
    assertThatThrownBy(() -> Reads.of(0)).isInstanceOf(IllegalArgumentException.class);
  }

  private void learnThatAnswersTake(long nanos) {
    for (int i = 0; i < 200; i++) {
      Read read = aRead(Reads.of(1));
      nowNanos += nanos;
      reply(read, 1, DONE);
    }
    answerBeacon(1, 2, 3, 4);
  }

  /** Makes a beacon be sent, and lets these answer it in turn. */
  private void answerBeacon(long... replicas) {
    Beacon beacon = beacon();
    for (long replica : replicas) {
      requests.step(
          new Event.Received(nowNanos, new BeaconAnswer(SERVICE, beacon.id(), replica, 0, 0)));
    }
  }

  private Beacon beacon() {
    nowNanos += Fastest.BEACON_EVERY_NANOS;
    List<Effect> effects = step(Reads.of(1));
    Beacon beacon = beaconsIn(effects).getFirst();
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send(long replica, Read read)) {
        reply(read, replica, new Answer.Threw("only.the.Beacon", "counts"));
      }
    }
    return beacon;
  }

  private List<Effect> step(Reads reads) {
    return requests.step(submit(false, reads));
  }

  private Event submit(boolean update, Reads reads) {
    Call call = new Call(9, Bytes.EMPTY);
    return new Event.Submit(
        nowNanos,
        CLIENT,
        ++lastTicket,
        SERVICE,
        update,
        call,
        nowNanos + 1_000 * MILLI,
        reads,
        null);
  }

  private List<Long> read(Reads reads) {
    return sentTo(step(reads));
  }

  private Read aRead(Reads reads) {
    return step(reads).stream()
        .filter(effect -> effect instanceof Effect.Send send && send.message() instanceof Read)
        .map(effect -> (Read) ((Effect.Send) effect).message())
        .findFirst()
        .orElseThrow();
  }

  private void update() {
    requests.step(submit(true, Reads.of(1)));
  }

  private long firstWaitOfAnUpdate() {
    update();
    long wait = requests.nextTickNanos() - nowNanos;
    answerUpdate(++updatesAlone);
    return wait;
  }

  private long updatesAlone;

  private void answerUpdate(long sequence) {
    updatesAlone = sequence;
    requests.step(
        new Event.Received(
            nowNanos,
            new Reply(SERVICE, new RequestId(CLIENT, sequence), true, 1, OrderPart.NONE, 0, DONE)));
  }

  private List<Effect> reply(Read read, long replica, Answer answer) {
    return requests.step(new Event.Received(nowNanos, replyOf(read, replica, 0, answer)));
  }

  private static Reply replyOf(Read read, long replica, int load, Answer answer) {
    return new Reply(SERVICE, read.id(), false, replica, OrderPart.NONE, load, answer);
  }

  private List<Effect> tick() {
    return requests.step(new Event.Tick(requests.nextTickNanos()));
  }

  private static List<Beacon> beaconsIn(List<Effect> effects) {
    List<Beacon> beacons = new ArrayList<>();
    for (Effect effect : effects) {
      if (effect instanceof Effect.Multicast(long service, Beacon beacon)) {
        beacons.add(beacon);
      }
    }
    return beacons;
  }

  private static List<Long> sentTo(List<Effect> effects) {
    List<Long> replicas = new ArrayList<>();
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send(long replica, Read read)) {
        replicas.add(replica);
      }
    }
    return replicas;
  }
}

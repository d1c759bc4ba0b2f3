package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.Counter;
import dev.tempest.state.State;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.Message.Want;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Services of which one replica executes each update, any. */
final class ExecuteAnyTest {
  private static final List<Long> REPLICAS = List.of(1L, 2L, 3L);
  private static final long CLIENT = 9;
  private static final long TURN_MILLIS = 10;
  private static final long EARLIER_MILLIS = 400;
  private static final long FORGOTTEN_MILLIS = 1_000;
  private static final long SETTLED_MILLIS = 3_000;
  private static final long EPOCH_MILLIS = 100;
  private static final long CLOSE_AFTER_EPOCHS = 10;

  /** No two executions draw the same from their process. */
  private final SplittableRandom process = new SplittableRandom(1);

  private final List<String> runs = new ArrayList<>();
  private final Cluster cluster =
      Cluster.executingAny(3, () -> ServiceInstance.of(Ledger.class, Drawing::new));
  private long answeredBelow = 1;

  private final class Drawing implements Ledger {
    private final Map<String, Integer> amounts;
    private final Counter effects;

    Drawing(State state) {
      amounts = state.map("amounts", String.class, Integer.class);
      effects = state.counter("effects");
    }

    @Override
    public int add(String account, int amount) {
      return put(account, process.nextInt());
    }

    @Override
    public int twice(String account) {
      return put(account, 2 * amount(account));
    }

    @Override
    public int take(String account, int amount) {
      put(account, amount);
      throw new IllegalStateException("drew " + process.nextInt());
    }

    private int put(String account, int amount) {
      runs.add(account);
      effects.increment();
      amounts.put(account, amount);
      return amount;
    }

    @Override
    public int amount(String account) {
      return amounts.getOrDefault(account, 0);
    }
  }

  private Entry entry(long sequence, String method, Object... arguments) {
    return cluster.entry(CLIENT, sequence, cluster.call(method, arguments));
  }

  private Entry add(long sequence) {
    return entry(sequence, "add", "a", 1);
  }

  private Entry stampedAhead() {
    long stamp = Stamp.atNanos(cluster.nowNanos + 1_000 * Cluster.MILLI);
    return new Entry(new RequestId(CLIENT, 1), stamp, cluster.call("add", "a", 1));
  }

  private static long at(int rank, Entry entry) {
    return Rendezvous.ranked(entry.id(), REPLICAS).get(rank);
  }

  /** The number of the first update from {@code from} on that these execute, one after another. */
  private static long sequenceOf(long from, long first, long second) {
    for (long sequence = from; ; sequence++) {
      RequestId id = new RequestId(CLIENT, sequence);
      if (Rendezvous.ranked(id, REPLICAS).subList(0, 2).equals(List.of(first, second))) {
        return sequence;
      }
    }
  }

  /** Sends an update to some replicas; what any of them said to clients. */
  private List<Reply> send(Entry entry, int attempt, int acks, long... reached) {
    Update update = Cluster.updateOf(entry, attempt, acks, answeredBelow);
    List<Reply> replies = new ArrayList<>();
    for (long replica : reached) {
      replies.addAll(replies(cluster.ask(replica, update)));
    }
    return replies;
  }

  /** What replicas say to clients while time passes. */
  private List<Reply> within(long millis) {
    int before = cluster.toClients().size();
    cluster.pass(millis);
    List<Message> all = cluster.toClients();
    return replies(all.subList(before, all.size()));
  }

  private static List<Reply> replies(List<Message> messages) {
    return messages.stream().map(Reply.class::cast).toList();
  }

  private static List<Answer> answers(List<Reply> replies) {
    return replies.stream().map(Reply::answer).toList();
  }

  /** Executes an update at the first replica in its order, and loses what that sends to others. */
  private Answer executeUnheard(Entry entry) {
    cluster.cutOff(at(0, entry));
    List<Reply> replies = send(entry, 0, 1, at(0, entry));
    cluster.pass(10);
    cluster.heard(at(0, entry));
    assertThat(replies).extracting(Reply::replica).containsExactly(at(0, entry));
    return replies.getFirst().answer();
  }

  private void assertEffects(long effects) {
    cluster.pass(SETTLED_MILLIS);
    assertThat(cluster.inStep()).isTrue();
    assertThat(cluster.allTrue(replica -> replica.unsettled().isEmpty())).isTrue();
    assertThat(cluster.allTrue(replica -> replica.status("").diverged() == 0)).isTrue();
    assertThat(cluster.contents(1).get("effects")).isEqualTo(effects);
  }

  @Test
  void theFirstInTheOrderExecutesAndTheOthersApplyWhatItWrote() {
    Entry entry = add(1);
    List<Reply> replies = send(entry, 0, 1, cluster.all());
    assertThat(replies).extracting(Reply::replica).containsExactly(at(0, entry));
    cluster.pass(10);
    assertThat(cluster.inStep()).isTrue();
    assertEffects(1);
    assertThat(runs).hasSize(1);
  }

  @Test
  void withTwoAcksTheSecondAnswersOnceItHasWhatTheFirstWrote() {
    Entry entry = add(1);
    List<Reply> first = send(entry, 0, 2, cluster.all());
    assertThat(first).extracting(Reply::replica).containsExactly(at(0, entry));
    List<Reply> second = within(10);
    assertThat(second).extracting(Reply::replica).containsExactly(at(1, entry));
    assertThat(answers(second)).isEqualTo(answers(first));
    assertThat(runs).hasSize(1);
    cluster.start(at(0, entry)); // It crashes, and the client has its answer.
    assertEffects(1);
    assertThat(runs).hasSize(1);
  }

  /** What the documentation says of {@code acks: 1}. */
  @Test
  void withOneAckACrashBeforeAnyOtherHasItLosesIt() {
    Entry entry = add(1);
    executeUnheard(entry);
    cluster.start(at(0, entry));
    assertEffects(0);
  }

  /** Where it was executed, where it came by gossip or in a state, and where it has settled. */
  @Test
  void aRetryIsAnsweredWithWhatWasRecordedWhereverItGoes() {
    Entry entry = add(1);
    Entry failing = entry(2, "take", "b", 1);
    Answer answer = executeUnheard(entry);
    Answer failure = executeUnheard(failing);
    assertThat(failure).isInstanceOf(Answer.Threw.class);
    cluster.pass(500);
    assertThat(answers(send(entry, 1, 1, cluster.all()))).containsOnly(answer).hasSize(3);
    assertThat(answers(send(failing, 1, 1, cluster.all()))).containsOnly(failure).hasSize(3);
    cluster.start(2);
    cluster.pass(500);
    assertThat(answers(send(entry, 1, 1, 2))).containsExactly(answer);
    assertEffects(1);
    assertThat(answers(send(entry, 1, 1, cluster.all()))).containsOnly(answer).hasSize(3);
    assertThat(answers(send(failing, 1, 1, cluster.all()))).containsOnly(failure).hasSize(3);
    assertThat(runs).hasSize(2);
  }

  /** What comes late does not change what was answered: nothing runs again. */
  @Test
  void anAnswerStaysWhateverComesLate() {
    Entry early = entry(sequenceOf(1, 1, 2), "twice", "a");
    executeUnheard(early);
    Entry late = add(sequenceOf(early.id().sequence() + 1, 2, 1));
    Answer answer = send(late, 0, 1, 2).getFirst().answer();
    assertEffects(2);
    assertThat(runs).hasSize(2);
    assertThat(answers(send(late, 1, 1, cluster.all()))).containsOnly(answer);
  }

  @Test
  void aRetryGoesPastADeadReplicaAndWaitsForItOnce() {
    Entry entry = add(sequenceOf(1, 2, 3));
    cluster.silence(2);
    assertThat(send(entry, 0, 1, cluster.all())).isEmpty();
    assertThat(within(50)).isEmpty();
    assertThat(send(entry, 1, 1, cluster.all())).isEmpty();
    assertThat(within(TURN_MILLIS)).extracting(Reply::replica).containsExactly(3L);

    Entry next = add(sequenceOf(entry.id().sequence() + 1, 2, 3));
    assertThat(send(next, 1, 1, cluster.all())).extracting(Reply::replica).containsExactly(3L);

    cluster.heard(2);
    cluster.pass(500); // It speaks again, so it has its turn again.
    Entry last = add(sequenceOf(next.id().sequence() + 1, 2, 3));
    assertThat(send(last, 1, 1, 3)).isEmpty();
    assertThat(within(TURN_MILLIS)).extracting(Reply::replica).containsExactly(3L);
    assertEffects(3);
    assertThat(runs).hasSize(3);
  }

  @Test
  void theLastExecutesIfAllBeforeItAreDead() {
    Entry entry = add(1);
    cluster.silence(at(0, entry));
    cluster.silence(at(1, entry));
    assertThat(send(entry, 1, 1, cluster.all())).isEmpty();
    assertThat(within(100)).isEmpty();
    assertThat(send(entry, 2, 1, cluster.all())).isEmpty();
    assertThat(within(2 * TURN_MILLIS)).extracting(Reply::replica).containsExactly(at(2, entry));
  }

  /** It was executed, and its answer and what went to the others got lost. */
  @Test
  void theNextInTheOrderAsksBeforeItExecutesItself() {
    Entry entry = add(1);
    Answer lost = executeUnheard(entry);
    cluster.sent();
    assertThat(answers(send(entry, 1, 1, at(1, entry)))).containsExactly(lost);
    assertThat(cluster.sent()).hasAtLeastOneElementOfType(Want.class);
    assertEffects(1);
    assertThat(runs).hasSize(1);
  }

  /** What a client waits for is not gossip, of which a round has no more than so much. */
  @Test
  void whoeverAsksIsToldHoweverOften() {
    List<Entry> entries = new ArrayList<>();
    for (long sequence = 1; sequence <= 10; sequence++) {
      entries.add(add(sequence));
    }
    List<Answer> lost = entries.stream().map(this::executeUnheard).toList();
    List<Answer> found = new ArrayList<>();
    entries.forEach(entry -> found.addAll(answers(send(entry, 1, 1, at(1, entry)))));
    assertThat(found).isEqualTo(lost);
    assertThat(runs).hasSize(10);
  }

  @Test
  void ofTwoExecutionsTheEarlierCountsEverywhere() {
    Entry entry = add(1);
    Answer first = executeUnheard(entry);
    cluster.cutOff(at(0, entry));
    assertThat(send(entry, 1, 1, at(1, entry))).isEmpty();
    Answer second = within(TURN_MILLIS).getFirst().answer();
    cluster.heard(at(0, entry));
    assertThat(second).isNotEqualTo(first);
    assertEffects(1);
    assertThat(answers(send(entry, 1, 1, cluster.all()))).containsOnly(first);
    assertThat(runs).hasSize(2);
  }

  /** A client whose clock is ahead gives both the same stamp. */
  @Test
  void ofTwoExecutionsAtOneStampTheSameCountsEverywhere() {
    Entry entry = stampedAhead();
    Answer first = executeUnheard(entry);
    cluster.cutOff(at(0, entry));
    send(entry, 1, 1, at(1, entry));
    Answer second = within(TURN_MILLIS).getFirst().answer();
    cluster.pass(10); // What it sends to the others is lost, too.
    List<Entry> both = new ArrayList<>(cluster.replica(at(0, entry)).unsettled());
    both.addAll(cluster.replica(at(1, entry)).unsettled());
    assertThat(both).hasSize(2).extracting(Entry::stamp).containsOnly(entry.stamp() + 1);
    cluster.heard(at(0, entry));
    assertEffects(1);
    List<Answer> recorded = answers(send(entry, 1, 1, cluster.all()));
    assertThat(recorded).hasSize(3).containsOnly(recorded.getFirst());
    assertThat(recorded.getFirst()).isIn(first, second);
  }

  @Test
  void theClientsEarlierUpdatesAreThereFirst() {
    Entry earlier = add(sequenceOf(1, 1, 2));
    executeUnheard(earlier);
    answeredBelow = earlier.id().sequence() + 1;
    Entry entry = entry(sequenceOf(answeredBelow, 2, 1), "twice", "a");
    assertThat(send(entry, 0, 1, 2)).hasSize(1); // As soon as the other one has sent it.
    assertThat(cluster.amount(2, "a")).isEqualTo(2 * cluster.amount(1, "a"));
  }

  @Test
  void whatNobodyHasIsWaitedForOnce() {
    answeredBelow = 100;
    Entry entry = add(sequenceOf(100, 1, 2));
    assertThat(send(entry, 0, 1, 1)).isEmpty();
    assertThat(within(EARLIER_MILLIS / 2)).isEmpty();
    assertThat(within(EARLIER_MILLIS / 2)).hasSize(1);
    Entry next = add(sequenceOf(entry.id().sequence() + 1, 1, 2));
    assertThat(send(next, 0, 1, 1)).hasSize(1);
  }

  /** Else those that come would drive each other out for ever. */
  @Test
  void whoWaitsComesToAnEndHoweverManyComeAfterIt() {
    answeredBelow = 100;
    Entry first = add(sequenceOf(100, 1, 2));
    assertThat(send(first, 0, 1, 1)).isEmpty();
    long sequence = first.id().sequence();
    for (int more = 0; more < ReplicaSettings.Waits.USUAL.updates(); more++) {
      sequence = sequenceOf(sequence + 1, 1, 2);
      assertThat(send(add(sequence), 0, 1, 1)).isEmpty();
    }
    assertThat(within(EARLIER_MILLIS)).extracting(Reply::id).contains(first.id());
  }

  /** Else those that ask again and again would leave no place to others. */
  @Test
  void whoAsksAgainHoldsNoPlaceForGood() {
    List<Long> sequences = new ArrayList<>(List.of(sequenceOf(1, 1, 2)));
    while (sequences.size() < ReplicaSettings.Waits.USUAL.updates()) {
      sequences.add(sequenceOf(sequences.getLast() + 1, 1, 2));
    }
    for (int attempts = 0; attempts < 2; attempts++) {
      sequences.forEach(sequence -> assertThat(send(add(sequence), 0, 2, 2)).isEmpty());
      assertThat(within(2 * FORGOTTEN_MILLIS / 3)).isEmpty();
    }
    Entry next = add(sequenceOf(sequences.getLast() + 1, 1, 2));
    assertThat(send(next, 0, 2, 2, 1)).extracting(Reply::replica).containsExactly(1L);
    assertThat(within(TURN_MILLIS)).extracting(Reply::replica).containsExactly(2L);
  }

  @Test
  void whatCannotBeExecutedIsRefusedByWhoWouldExecuteIt() {
    Entry entry = cluster.entry(CLIENT, 1, new Call(1, cluster.call("add", "a", 1).arguments()));
    List<Reply> replies = send(entry, 0, 1, cluster.all());
    assertThat(replies).extracting(Reply::replica).containsExactly(at(0, entry));
    assertThat(answers(replies).getFirst())
        .matches(answer ->
            answer instanceof Answer.Refused(Reason reason, String detail)
                && reason == Reason.UNKNOWN_METHOD);
    assertThat(cluster.replica(1).unsettled()).isEmpty();
  }

  /** Whoever refuses does not execute it later: clients count on that. */
  @Test
  void whatWaitsAndIsRefusedIsNotExecuted() {
    Entry entry = add(1);
    assertThat(send(entry, 1, 1, at(1, entry))).isEmpty();
    Entry old = cluster.entry(CLIENT, 1, 0, cluster.call("add", "a", 1));
    assertThat(send(old, 1, 1, at(1, entry))).hasSize(1).allMatch(ExecuteAnyTest::hasExpired);
    assertThat(within(100)).isEmpty();
    assertThat(runs).isEmpty();
  }

  @Test
  void whatExpiresWhileItWaitsIsRefused() {
    cluster.pass(CLOSE_AFTER_EPOCHS * EPOCH_MILLIS); // Or it would be from before they were there.
    long nowMillis = cluster.nowNanos / Cluster.MILLI;
    long epoch = nowMillis / EPOCH_MILLIS;
    cluster.pass(EPOCH_MILLIS - 10 - nowMillis % EPOCH_MILLIS);
    long firstOpen = (epoch + 1 - CLOSE_AFTER_EPOCHS) * EPOCH_MILLIS;
    Entry entry = cluster.entry(CLIENT, 1, firstOpen, cluster.call("add", "a", 1));
    assertThat(send(entry, 1, 1, at(1, entry))).isEmpty();
    assertThat(within(TURN_MILLIS)).hasSize(1).allMatch(ExecuteAnyTest::hasExpired);
    assertThat(runs).isEmpty();
  }

  private static boolean hasExpired(Reply reply) {
    return reply.answer() instanceof Answer.Refused(Reason reason, String detail)
        && reason == Reason.STAMP_EXPIRED;
  }

  /** The next update of the client is to come after this one, whoever executes that. */
  @Test
  void aReplyIsNotOlderThanWhatItIsAbout() {
    Entry ahead = stampedAhead();
    Reply reply = send(ahead, 0, 1, at(0, ahead)).getFirst();
    Entry executed = cluster.replica(at(0, ahead)).unsettled().getFirst();
    assertThat(executed.stamp()).isGreaterThan(ahead.stamp());
    assertThat(Stamp.of(reply.part())).isGreaterThanOrEqualTo(executed.stamp());
  }
}

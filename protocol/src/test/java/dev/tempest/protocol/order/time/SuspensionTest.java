package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Replica;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Of three replicas some run code without a method that the others execute. */
final class SuspensionTest {
  /** The ledger, with a method more. */
  interface NewLedger extends Ledger {
    /** Doubles, and adds one. */
    @Update
    int credit(String account);
  }

  private static final class NewLedgerService implements NewLedger {
    private final LedgerService old;
    private final ConcurrentMap<String, Integer> credits; // The old code does not declare it.

    NewLedgerService(State state) {
      old = new LedgerService(state);
      credits = state.map("credits", String.class, Integer.class);
    }

    @Override
    public int credit(String account) {
      credits.merge(account, 1, Integer::sum);
      old.twice(account);
      return old.add(account, 1);
    }

    @Override
    public int add(String account, int amount) {
      return old.add(account, amount);
    }

    @Override
    public int twice(String account) {
      return old.twice(account);
    }

    @Override
    public int take(String account, int amount) {
      return old.take(account, amount);
    }

    @Override
    public int amount(String account) {
      return old.amount(account);
    }
  }

  private final Cluster cluster =
      new Cluster(
          3, Reconcile.MERGE, () -> ServiceInstance.of(NewLedger.class, NewLedgerService::new));

  /** About a hundred entries. */
  private static final long KEPT_MAX_BYTES = 20 << 10;

  private long sequence;

  private static ServiceInstance oldCode() {
    return ServiceInstance.of(Ledger.class, LedgerService::new);
  }

  /** All have 10; then some start anew with old code, which takes the state. */
  private void begin(long... old) {
    cluster.update(add(10), cluster.all());
    cluster.pass(5_000);
    for (long id : old) {
      cluster.start(id, oldCode());
      cluster.pass(1_000);
    }
  }

  private void awaitSuspended(Long... ids) {
    for (int i = 0; i < 100 && cluster.suspended().size() < ids.length; i++) {
      cluster.pass(10);
    }
    assertThat(cluster.suspended()).containsOnlyKeys(ids);
  }

  private Entry add(int amount) {
    return cluster.entry(7, ++sequence, cluster.call("add", "a", amount));
  }

  private Entry credit() {
    return cluster.entry(7, ++sequence, cluster.call("credit", "a"));
  }

  /** An added method: the finding of a rolling upgrade that erased acknowledged updates. */
  @Test
  void whatTheOldOneCannotExecuteIsKeptByAll() {
    begin(1);
    assertThat(cluster.update(credit(), cluster.all())).anyMatch(Answer.Returned.class::isInstance);
    awaitSuspended(1L);
    cluster.update(add(100), cluster.all());
    cluster.pass(10_000);
    assertThat(cluster.amount(2, "a")).isEqualTo(121);
    assertThat(cluster.amount(1, "a")).isEqualTo(121);
    assertThat(cluster.contents(1)).containsEntry("credits", Map.of("a", 1));
    assertThat(cluster.inStep()).isTrue();
    assertThat(cluster.allTrue(each -> each.status("").diverged() == 0)).isTrue();
    assertThat(cluster.allTrue(each -> each.unsettled().isEmpty())).isTrue();
    assertThat(cluster.suspended()).isEmpty();
  }

  @Test
  void theSuspendedOneAnswersNobody() {
    begin(1);
    Entry done = add(1);
    cluster.update(done, cluster.all());
    cluster.update(credit(), 2, 3);
    awaitSuspended(1L);
    assertThat(cluster.update(add(1), 1)).allMatch(SuspensionTest::isSuspended);
    assertThat(cluster.update(done, 1)).allMatch(SuspensionTest::isSuspended);
    Message read =
        new Message.Read(Cluster.SERVICE, new RequestId(8, 1), cluster.call("amount", "a"));
    assertThat(cluster.ask(1, read))
        .singleElement()
        .matches(message -> message instanceof Message.Reply reply && isSuspended(reply.answer()));
    Message beacon = new Message.Beacon(Cluster.SERVICE, new RequestId(8, 2));
    assertThat(cluster.ask(1, beacon)).isEmpty();
  }

  private static boolean isSuspended(Answer answer) {
    return answer instanceof Answer.Refused(Reason reason, String detail)
        && reason == Reason.SUSPENDED;
  }

  /** They settle nothing, but what they hold is all that there is. */
  @Test
  void thoseWhoCannotExecuteItGiveItToOneThatCan() {
    begin(1, 2);
    cluster.update(credit(), 3);
    awaitSuspended(1L, 2L);
    cluster.silence(3);
    cluster.pass(10_000);
    assertThat(cluster.replica(1).unsettled()).hasSize(1);
    assertThat(cluster.suspended()).containsOnlyKeys(1L, 2L);

    cluster.start(3);
    cluster.heard(3);
    cluster.pass(10_000);
    assertThat(cluster.amount(3, "a")).isEqualTo(21);
    assertThat(cluster.inStep()).isTrue();
    assertThat(cluster.suspended()).isEmpty();
  }

  /** The finding: all that the others had settled stayed in its memory, for ever. */
  @Test
  void whoComesToNoStateKeepsNoMoreThanItMayAndTheOthersGoOn() {
    begin();
    cluster.start(1, oldCode(), KEPT_MAX_BYTES);
    cluster.pass(1_000);
    cluster.losesStates(1);
    long longest = 0;
    for (int i = 0; i < 500 && cluster.gaveUp().isEmpty(); i++) {
      cluster.update(credit(), cluster.all());
      cluster.pass(100);
      longest = Math.max(longest, cluster.replica(2).unsettled().size());
    }
    assertThat(cluster.gaveUp()).containsExactly(1L);
    assertThat(longest).as("unsettled at another one").isLessThan(50);
    assertThat(cluster.replica(1).unsettledBytes()).isLessThan(2 * KEPT_MAX_BYTES);
    Set<RequestId> unsettledElsewhere = idsOf(cluster.replica(2));
    assertThat(idsOf(cluster.replica(1)))
        .as("what only it has")
        .allMatch(id -> cluster.replica(2).hasExecuted(id))
        .as("what it alone keeps, for the others have settled it")
        .anyMatch(id -> !unsettledElsewhere.contains(id));
  }

  @Test
  void whoComesToStatesNeverGivesUp() {
    begin();
    cluster.start(1, oldCode(), KEPT_MAX_BYTES);
    cluster.pass(1_000);
    for (int i = 0; i < 500; i++) {
      cluster.update(credit(), cluster.all());
      cluster.pass(100);
    }
    assertThat(cluster.replica(1).taken()).as("states").isGreaterThan(10);
    assertThat(cluster.gaveUp()).isEmpty();
  }

  private static Set<RequestId> idsOf(ReplicaByTime replica) {
    return replica.unsettled().stream().map(Entry::id).collect(Collectors.toSet());
  }

  /** Nobody has executed it: a caller with another interface suspends nobody. */
  @Test
  void whatNobodyKnowsIsRefusedAndSuspendsNobody() {
    begin();
    Entry wrong = cluster.entry(7, ++sequence, new dev.tempest.wire.Call(12345, Bytes.EMPTY));
    cluster.update(wrong, cluster.all());
    cluster.pass(1_000);
    assertThat(cluster.suspended()).isEmpty();
    assertThat(cluster.allTrue(Replica::isActive)).isTrue();
    assertThat(List.of(cluster.amount(1, "a"), cluster.amount(2, "a"))).containsOnly(10);
  }
}

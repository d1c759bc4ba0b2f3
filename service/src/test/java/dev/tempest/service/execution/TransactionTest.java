package dev.tempest.service.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.service.execution.Transaction.Reply;
import dev.tempest.service.execution.Transaction.Step;
import dev.tempest.state.State;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionTest {
  private static final long NOW_MILLIS = 1_795_000_000_000L;
  private static final long SEED = 17;

  /** Accounts with their balances. */
  public interface Bank {
    /** Adds to one, which may be new. */
    @Update
    int add(String account, int amount);

    /** The same without saying what is there then. */
    @Update
    void give(String account, int amount);

    /** Takes from one what is there. */
    @Update
    int take(String account, int amount) throws IllegalArgumentException;

    /** What is there. */
    @Read
    int balance(String account);

    /** Reads and writes. */
    @Read
    int wrong();

    /** When, and at random. */
    @Update
    List<Long> stamp();
  }

  /** Keeps them. */
  public static final class BankService implements Bank {
    private final State state;
    private final Map<String, Integer> balances;

    /** Keeps them in a map. */
    public BankService(State state) {
      this.state = state;
      this.balances = state.map("balances", String.class, Integer.class);
    }

    @Override
    public int add(String account, int amount) {
      return balances.merge(account, amount, Integer::sum);
    }

    @Override
    public void give(String account, int amount) {
      balances.merge(account, amount, Integer::sum);
    }

    @Override
    public int take(String account, int amount) {
      int left = add(account, -amount);
      if (left < 0) {
        throw new IllegalArgumentException("only " + (left + amount));
      }
      return left;
    }

    @Override
    public int balance(String account) {
      return balances.getOrDefault(account, 0);
    }

    @Override
    public int wrong() {
      return add("wrong", 1);
    }

    @Override
    public List<Long> stamp() {
      return List.of(state.action().now().toEpochMilli(), state.action().random().nextLong());
    }
  }

  private final ServiceInstance bank = ServiceInstance.of(Bank.class, BankService::new);
  private OpenTransaction open = new OpenTransaction(Transaction.NOT_YET, SEED);
  private Version version = bank.emptyVersion();
  private long nowMillis = NOW_MILLIS;

  private ServiceMethod method(String name) {
    return bank.description().methods().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Reply reply(Result result) {
    return Transaction.readReply(((Result.Returned) result).value());
  }

  private Result read(Transaction asked) {
    return bank.read(version, Transaction.ASK, asked.encode(), nowMillis);
  }

  private Reply asked(String name, @Nullable Object... arguments) {
    return reply(read(open.asking(method(name), arguments)));
  }

  private @Nullable Object ask(String name, @Nullable Object... arguments) {
    Transaction asked = open.asking(method(name), arguments);
    Reply.Answered answered = (Reply.Answered) reply(read(asked));
    open.answered(method(name), asked, answered);
    return answered.outcome() instanceof Result.Returned(Bytes value)
        ? method(name).decodeResult(value)
        : answered.outcome();
  }

  private Execution committed() {
    Bytes whole = open.committing().encode();
    ByteWriter writes = new ByteWriter(1 << 20);
    Execution execution = bank.execute(version, Transaction.COMMIT, whole, nowMillis, SEED, writes);
    assertThat(bank.apply(version, writes.toBytes()).after()).isEqualTo(execution.after());
    return execution;
  }

  private int update(String name, String account, int amount) {
    Execution execution =
        bank.update(
            version,
            method(name).number(),
            method(name).encode(new Object[] {account, amount}),
            nowMillis,
            SEED);
    version = execution.after();
    return number(name, execution.result());
  }

  private int balance(Version in, String account) {
    Bytes arguments = method("balance").encode(new Object[] {account});
    Result result = bank.read(in, method("balance").number(), arguments, nowMillis);
    return number("balance", result);
  }

  private int number(String name, Result result) {
    Object value = method(name).decodeResult(((Result.Returned) result).value());
    return (int) Objects.requireNonNull(value);
  }

  @Test
  void eachCallSeesThoseBeforeItAndNobodyElseDoes() {
    assertThat(ask("add", "alice", 5)).isEqualTo(5);
    assertThat(ask("take", "alice", 3)).isEqualTo(2);
    assertThat(ask("balance", "alice")).isEqualTo(2);
    assertThat(balance(version, "alice")).isZero();
  }

  @Test
  void whatReturnsNothingIsTakenToHaveReturned() {
    assertThat(open.assume(method("give"), "alice", 5)).isTrue();
    assertThat(ask("balance", "alice")).isEqualTo(5);
    assertThat(balance(committed().after(), "alice")).isEqualTo(5);
  }

  @Test
  void ifItHasThrownTheNextCallFindsOutAndSoDoesTheCommit() {
    ServiceMethod refused = method("give");
    assertThat(open.assume(refused, null, 5)).as("no map has null").isTrue();
    assertThat(asked("balance", "alice")).isInstanceOf(Reply.Stale.class);
    assertThat(reply(committed().result())).isInstanceOf(Reply.Stale.class);
  }

  @Test
  void whatIsLargeIsAsked() {
    String half = "x".repeat(OpenTransaction.ASSUMED_MAX_BYTES / 2);
    assertThat(open.assume(method("give"), half, 5)).isTrue();
    assertThat(open.assume(method("give"), half, 5)).isFalse();
    assertThat(open.size()).isEqualTo(1);
    assertThat(open.assume(method("give"), "short", 5)).isTrue();
  }

  @Test
  void allCountAtOnce() {
    update("add", "alice", 5);
    ask("take", "alice", 3);
    ask("add", "bob", 3);
    Execution execution = committed();
    assertThat(reply(execution.result())).isEqualTo(new Reply.Committed());
    assertThat(balance(execution.after(), "alice")).isEqualTo(2);
    assertThat(balance(execution.after(), "bob")).isEqualTo(3);
  }

  @Test
  void noneCountsIfOneComesToSomethingElse() {
    update("add", "alice", 5);
    ask("add", "bob", 3);
    ask("take", "alice", 3);
    update("add", "alice", 1);
    Execution execution = committed();
    assertThat(reply(execution.result())).isEqualTo(new Reply.Stale(NOW_MILLIS));
    assertThat(execution.after()).isEqualTo(version);
    assertThat(asked("balance", "carol")).isEqualTo(new Reply.Stale(Transaction.NOT_YET));
  }

  /** What was told still holds: the others have changed nothing that could be seen. */
  @Test
  void changesThatNobodyWasToldOfAreNoConflict() {
    ask("give", "alice", 3);
    update("add", "alice", 4);
    Execution execution = committed();
    assertThat(reply(execution.result())).isEqualTo(new Reply.Committed());
    assertThat(balance(execution.after(), "alice")).isEqualTo(7);
  }

  @Test
  void aCallThatThrowsLeavesNothingAndTheOthersGoOn() {
    ask("add", "alice", 5);
    assertThat(ask("take", "alice", 6))
        .isEqualTo(new Result.Threw(IllegalArgumentException.class.getName(), "only 5"));
    assertThat(ask("balance", "alice")).isEqualTo(5);
    Execution execution = committed();
    assertThat(balance(execution.after(), "alice")).isEqualTo(5);
  }

  @Test
  void aReadThatWritesThrowsHereToo() {
    assertThat(ask("wrong"))
        .isInstanceOfSatisfying(
            Result.Threw.class,
            threw -> assertThat(threw.message()).contains("is marked @Read and writes"));
    assertThat(ask("add", "wrong", 1)).as("updates still write").isEqualTo(1);
  }

  @Test
  void aReadTellsWhetherAllHolds() {
    update("add", "alice", 5);
    ask("balance", "alice");
    assertThat(reply(read(open.committing()))).isEqualTo(new Reply.Committed());
    update("add", "alice", 1);
    assertThat(reply(read(open.committing()))).isEqualTo(new Reply.Stale(Transaction.NOT_YET));
  }

  /** Whoever answers first may have a clock that is days off. */
  @Test
  void theNextTryBeginsWithTheTimeOfTheOrder() {
    nowMillis += 86_400_000;
    ask("add", "alice", 5);
    nowMillis = NOW_MILLIS;
    Reply.Stale stale = (Reply.Stale) reply(committed().result());
    open = new OpenTransaction(stale.millis(), SEED);
    nowMillis += 86_400_000;
    ask("add", "alice", 5);
    nowMillis = NOW_MILLIS;
    assertThat(reply(committed().result())).isEqualTo(new Reply.Committed());
  }

  /** Clocks of servers differ, and clients take their time. */
  @ParameterizedTest
  @ValueSource(longs = {5_000, -5_000})
  void timeAndRandomnessAreThoseOfTheBeginning(long later) {
    String first = String.valueOf(ask("stamp"));
    nowMillis += later;
    ask("balance", "alice");
    assertThat(open.committing().beganMillis()).isEqualTo(NOW_MILLIS);
    assertThat(first).contains(String.valueOf(NOW_MILLIS));
    assertThat(reply(committed().result())).isEqualTo(new Reply.Committed());
  }

  @ParameterizedTest
  @ValueSource(longs = {5_001, -5_001})
  void whatBeganTooLongAgoOrHasYetToBeginsAgain(long later) {
    ask("balance", "alice");
    nowMillis += later;
    ask("balance", "alice");
    assertThat(reply(committed().result())).isEqualTo(new Reply.Stale(nowMillis));
  }

  /** What it says may be what the client goes by. */
  @Test
  void textsOfDeclaredExceptionsAreCompared() {
    update("add", "alice", 5);
    ask("take", "alice", 6);
    update("add", "alice", -1);
    assertThat(reply(committed().result())).isEqualTo(new Reply.Stale(NOW_MILLIS));
  }

  @Test
  void largeResultsAreToldApart() {
    byte[] one = new byte[100];
    byte[] other = one.clone();
    other[99] = 1;
    ServiceMethod take = method("take");
    assertThat(Transaction.digest(take, new Result.Returned(Bytes.of(one))))
        .isNotEqualTo(Transaction.digest(take, new Result.Returned(Bytes.of(other))));
    assertThat(Transaction.digest(take, new Result.Threw("A", "x")))
        .isEqualTo(Transaction.digest(take, new Result.Threw("A", "y")))
        .isNotEqualTo(Transaction.digest(take, new Result.Threw("B", "x")));
  }

  @Test
  void whatIsNoTransactionIsRefused() {
    Bytes good = open.asking(method("balance"), "alice").encode();
    for (int end = 0; end < good.size(); end++) {
      Bytes cut = Bytes.of(good.toArray(), 0, end);
      assertThat(bank.read(version, Transaction.ASK, cut, nowMillis))
          .isInstanceOf(Result.BadArguments.class);
      assertThat(bank.update(version, Transaction.COMMIT, cut, nowMillis, SEED).result())
          .isInstanceOf(Result.BadArguments.class);
    }
    Step noStep = new Step(1, Bytes.EMPTY);
    Transaction noMethod = new Transaction(Transaction.NOT_YET, SEED, List.of(), noStep);
    assertThat(read(noMethod)).isInstanceOf(Result.UnknownMethod.class);
    assertThatThrownBy(() -> Transaction.readReply(Bytes.of((byte) 9)))
        .hasMessageContaining("unknown reply");
  }
}

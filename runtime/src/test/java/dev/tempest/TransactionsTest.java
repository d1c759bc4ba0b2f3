package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three servers in this process, over loopback. */
class TransactionsTest {
  private static final int ACCOUNTS = 4;
  private static final int FULL = 100;

  /** There is not as much. */
  public static final class TooLittleException extends Exception {
    private static final long serialVersionUID = 1;

    /** Says how much there is. */
    public TooLittleException(String message) {
      super(message);
    }
  }

  /** Accounts, each with 100 to begin with. */
  public interface Bank {
    /** What is there. */
    @Read
    int balance(int account);

    /** Of all. */
    @Read
    List<Integer> balances();

    /** Adds to one. */
    @Update
    int add(int account, int amount);

    /** Takes from one. */
    @Update
    int take(int account, int amount) throws TooLittleException;

    /** Moves from one to another, and says nothing. */
    @Update
    void pay(int from, int to, int amount) throws TooLittleException;
  }

  /** Keeps them. */
  public static final class BankService implements Bank {
    /** How often servers have executed {@link #pay}, in transactions that may not count. */
    private static final AtomicInteger PAID = new AtomicInteger();

    private final Map<Integer, Integer> balances;

    /** Keeps them in a map. */
    public BankService(State state) {
      balances = state.map("balances", Integer.class, Integer.class);
    }

    @Override
    public int balance(int account) {
      return balances.getOrDefault(account, FULL);
    }

    @Override
    public List<Integer> balances() {
      List<Integer> all = new ArrayList<>();
      for (int account = 0; account < ACCOUNTS; account++) {
        all.add(balance(account));
      }
      return all;
    }

    @Override
    public int add(int account, int amount) {
      int sum = balance(account) + amount;
      balances.put(account, sum);
      return sum;
    }

    @Override
    public int take(int account, int amount) throws TooLittleException {
      int left = add(account, -amount);
      if (left < 0) {
        throw new TooLittleException("only " + (left + amount));
      }
      return left;
    }

    @Override
    public void pay(int from, int to, int amount) throws TooLittleException {
      PAID.incrementAndGet();
      take(from, amount);
      add(to, amount);
    }
  }

  private static TestCluster start(Order order) throws InterruptedException {
    return TestCluster.of(
        3, false, order, () -> Map.of("bank", ServiceInstance.of(Bank.class, BankService::new)));
  }

  private static Order by(Executes executes) {
    return new Order.ByConsensus(
        executes, Order.ByConsensus.Reads.LINEARIZABLE, Order.ByConsensus.Log.MEMORY);
  }

  /** Money moves between accounts; whoever looks, in a transaction or not, sees all of it. */
  @ParameterizedTest
  @EnumSource(Executes.class)
  void nobodySeesHalfOfOneAndNoneIsLost(Executes executes) throws Exception {
    try (TestCluster cluster = start(by(executes));
        FrontEnd frontEnd = cluster.frontEnd();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Bank bank = frontEnd.within(Duration.ofSeconds(20), frontEnd.service("bank", Bank.class));
      List<Future<Integer>> movers = new ArrayList<>();
      for (int mover = 0; mover < 4; mover++) {
        movers.add(threads.submit(() -> move(frontEnd, bank)));
      }
      int moved = 0;
      for (Future<Integer> mover : movers) {
        moved += mover.get();
      }
      assertThat(moved).isPositive();
      assertThat(bank.balances().stream().mapToInt(Integer::intValue).sum())
          .isEqualTo(ACCOUNTS * FULL);
    }
  }

  private static int move(FrontEnd frontEnd, Bank bank) {
    int moved = 0;
    for (int i = 0; i < 25; i++) {
      int from = ThreadLocalRandom.current().nextInt(ACCOUNTS);
      int to = (from + 1) % ACCOUNTS;
      try {
        int left =
            frontEnd.transaction(
                bank,
                service -> {
                  int rest = service.take(from, 7);
                  service.add(to, 7);
                  return rest;
                });
        assertThat(left).isNotNegative();
        moved++;
      } catch (TooLittleException tooLittle) {
        assertThat(tooLittle).hasMessageStartingWith("only ");
      }
      int all = 0;
      for (int each : frontEnd.transaction(bank, Bank::balances)) {
        all += each;
      }
      assertThat(all).isEqualTo(ACCOUNTS * FULL);
      assertThat(bank.balances().stream().mapToInt(Integer::intValue).sum()).isEqualTo(all);
    }
    return moved;
  }

  @Test
  void whatThrowsWritesNothing() throws Exception {
    try (TestCluster cluster = start(Order.LINEARIZABLE);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Bank bank = frontEnd.service("bank", Bank.class);
      assertThatThrownBy(() ->
              frontEnd.transaction(
                  bank,
                  service -> {
                    service.add(1, 50);
                    return service.take(0, 101);
                  }))
          .isInstanceOf(TooLittleException.class)
          .hasMessage("only 100");
      assertThat(bank.balances()).containsOnly(FULL);
      int left =
          frontEnd.transaction(
              bank,
              service -> {
                try {
                  return service.take(0, 101);
                } catch (TooLittleException tooLittle) {
                  return service.take(0, 60);
                }
              });
      assertThat(left).isEqualTo(40);
      assertThat(bank.balance(0)).isEqualTo(40);
    }
  }

  @Test
  void whatReturnsNothingIsNotWaitedFor() throws Exception {
    try (TestCluster cluster = start(Order.LINEARIZABLE);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Bank bank = frontEnd.service("bank", Bank.class);
      AtomicInteger runs = new AtomicInteger();
      int paidBefore = BankService.PAID.get();
      int left =
          frontEnd.transaction(
              bank,
              service -> {
                runs.incrementAndGet();
                service.pay(0, 1, 10);
                service.pay(0, 1, 20);
                assertThat(BankService.PAID).hasValue(paidBefore);
                return service.balance(0);
              });
      assertThat(left).isEqualTo(70);
      assertThat(runs).hasValue(1);
      frontEnd.transaction(
          bank,
          service -> {
            runs.incrementAndGet();
            service.pay(1, 2, 30);
            return null;
          });
      assertThat(runs).as("of both").hasValue(2);
      assertThat(bank.balances()).startsWith(70, FULL, 130);
    }
  }

  /** Its function had gone on, and runs again. */
  @Test
  void whatReturnsNothingThrowsWhereItIsCalled() throws Exception {
    try (TestCluster cluster = start(Order.LINEARIZABLE);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Bank bank = frontEnd.service("bank", Bank.class);
      int left =
          frontEnd.transaction(
              bank,
              service -> {
                try {
                  service.pay(0, 1, 101);
                } catch (TooLittleException tooLittle) {
                  assertThat(tooLittle).hasMessage("only 100");
                  service.pay(0, 1, 60);
                }
                return service.balance(0);
              });
      assertThat(left).isEqualTo(40);
      assertThatThrownBy(() ->
              frontEnd.transaction(
                  bank,
                  service -> {
                    service.pay(0, 1, 1);
                    service.pay(0, 1, 40);
                    return null;
                  }))
          .isInstanceOf(TooLittleException.class)
          .hasMessage("only 39");
      assertThat(bank.balances()).startsWith(40, 160);
    }
  }

  @Test
  void itRunsAgainWhenOthersHaveChangedWhatItRead() throws Exception {
    try (TestCluster cluster = start(Order.LINEARIZABLE);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Bank bank = frontEnd.service("bank", Bank.class);
      AtomicInteger runs = new AtomicInteger();
      int sum =
          frontEnd.transaction(
              bank,
              service -> {
                int read = service.balance(0);
                if (runs.incrementAndGet() == 1) {
                  bank.add(0, 1); // Outside of it.
                }
                return service.add(1, read);
              });
      assertThat(runs).hasValueGreaterThan(1);
      assertThat(sum).isEqualTo(FULL + FULL + 1);
      assertThat(bank.balances()).startsWith(FULL + 1, FULL + FULL + 1);
    }
  }

  @Test
  void whatNeverComesToRestEndsAsAborted() throws Exception {
    try (TestCluster cluster = start(Order.LINEARIZABLE);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Bank bank = frontEnd.service("bank", Bank.class);
      assertThatThrownBy(() ->
              frontEnd.transaction(
                  frontEnd.within(Duration.ofMillis(500), bank),
                  service -> {
                    int read = service.balance(0);
                    bank.add(0, 1);
                    return service.add(1, read);
                  }))
          .isInstanceOfSatisfying(
              UnableException.class,
              unable -> {
                assertThat(unable.reason()).isEqualTo(Outcome.Reason.ABORTED);
                assertThat(unable)
                    .hasMessageContaining("500 ms")
                    .hasMessageMatching(".* It has run [0-9]+ times: others changed what.*");
              });
      assertThat(bank.balance(1)).isEqualTo(FULL);
    }
  }

  /** It would count by itself, each time that the other one runs. */
  @Test
  void noneBeginsWithinAnother() throws Exception {
    try (TestCluster cluster = start(Order.LINEARIZABLE);
        FrontEnd frontEnd = cluster.frontEnd();
        FrontEnd other = cluster.frontEnd()) {
      Bank bank = frontEnd.service("bank", Bank.class);
      Bank elsewhere = other.service("bank", Bank.class);
      assertRefused(
          frontEnd, bank, service -> frontEnd.transaction(bank, inner -> inner.add(1, 1)));
      assertRefused(
          frontEnd, bank, service -> frontEnd.transaction(service, inner -> inner.add(1, 1)));
      assertRefused(
          frontEnd, bank, service -> other.transaction(elsewhere, inner -> inner.add(1, 1)));
      assertThat(frontEnd.<Bank, Integer, RuntimeException>transaction(bank, b -> b.add(1, 1)))
          .isEqualTo(FULL + 1); // The thread is free again, and nothing was written before.
    }
  }

  private static void assertRefused(
      FrontEnd frontEnd, Bank bank, FrontEnd.Calls<Bank, Integer, RuntimeException> calls) {
    assertThatThrownBy(() -> frontEnd.transaction(bank, calls))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("make its calls on the client that this function is given");
  }

  @Test
  void itsClientIsOfNoUseLaterOrElsewhere() throws Exception {
    try (TestCluster cluster = start(Order.LINEARIZABLE);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Bank bank = frontEnd.service("bank", Bank.class);
      Bank kept = frontEnd.transaction(bank, service -> service);
      assertThatThrownBy(() -> kept.balance(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("belongs to the thread that began it");
      assertThat(kept).isNotEqualTo(bank).hasToString("client of Bank");
    }
  }

  @Test
  void orderByTimeHasNone() throws Exception {
    try (TestCluster cluster = start(Order.EVENTUAL);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Bank bank = frontEnd.service("bank", Bank.class);
      assertThatThrownBy(() -> frontEnd.transaction(bank, service -> service.add(1, 1)))
          .isInstanceOf(UnableException.class)
          .hasMessageContaining("order by time has no transactions");
    }
  }

  @Test
  void aServiceThatNobodyHostsIsNamedAsByAPlainCall() throws Exception {
    try (TestCluster cluster = start(Order.LINEARIZABLE);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Bank bnk = frontEnd.service("bnk", Bank.class);
      assertThatThrownBy(() -> frontEnd.transaction(bnk, service -> service.add(1, 1)))
          .isInstanceOf(UnableException.class)
          .hasMessage("UNKNOWN_SERVICE: No server hosts 'bnk'; did you mean 'bank'? (known: bank)");
    }
  }

  @Test
  void itsClientTakesPlainCallsOnly() throws Exception {
    try (TestCluster cluster = start(Order.LINEARIZABLE);
        FrontEnd frontEnd = cluster.frontEnd();
        FrontEnd other = cluster.frontEnd()) {
      Bank bank = frontEnd.service("bank", Bank.class);
      String plain = "The client of a transaction takes plain calls only";
      assertThatThrownBy(() -> frontEnd.transaction(bank, b -> frontEnd.outcome(b, Bank::balances)))
          .hasMessageStartingWith(plain);
      assertThatThrownBy(
              () -> frontEnd.transaction(bank, b -> frontEnd.within(Duration.ofSeconds(1), b)))
          .hasMessageStartingWith(plain);
      assertThatThrownBy(() -> other.transaction(bank, Bank::balances))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("This client does not come from service() of this front-end: ")
          .hasMessageContaining("call service() and transaction() on the same one");
    }
  }
}

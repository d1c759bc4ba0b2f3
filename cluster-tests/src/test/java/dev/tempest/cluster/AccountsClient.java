package dev.tempest.cluster;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.admin.Admin;
import dev.tempest.admin.ServiceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Deposits without end, each thread on an account of its own, and knows what has to be there. */
final class AccountsClient {
  private static final int WRITERS = 8;
  private static final long PAUSE_MILLIS = 5;

  /** Of so many updates one is a credit, as long as there are any. */
  private static final int CREDIT_EVERY = 10;

  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final List<String> servers;
  private final FrontEnd frontEnd;
  private final Admin admin;
  private final NewAccounts accounts;
  private final List<Writer> writers = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> failed = new ConcurrentLinkedQueue<>();
  private final AtomicLong acknowledged = new AtomicLong();
  private volatile boolean credits;
  private volatile boolean resting;

  private AccountsClient(List<String> servers) {
    this.servers = servers;
    FrontEndConfig config = FrontEndConfig.builder(servers).deadline(DEADLINE).build();
    this.frontEnd = FrontEnd.connect(config);
    this.admin = Admin.connect(config);
    this.accounts = frontEnd.service(AccountsServer.SERVICE, NewAccounts.class);
  }

  /**
   * Answers commands.
   *
   * @param arguments a name, then all servers
   */
  public static void main(String[] arguments) throws Exception {
    AccountsClient program =
        new AccountsClient(Arrays.asList(arguments).subList(1, arguments.length));
    Answering.begin(program::perform);
  }

  private String perform(String command) throws InterruptedException {
    return switch (command) {
      case "write" -> write();
      case "credits begin" -> credits(true);
      case "credits end" -> credits(false);
      case "acknowledged" -> String.valueOf(acknowledged.get());
      case "rest" -> rest();
      case "settled" -> settled();
      case "wrong balances" -> wrong(Writer::wrongBalance);
      case "wrong notes" -> wrong(Writer::wrongNote);
      default -> throw new IllegalArgumentException("unknown command: " + command);
    };
  }

  private String write() {
    for (int number = 0; number < WRITERS; number++) {
      Writer writer = new Writer("owner-" + number);
      writers.add(writer);
      writer.thread.start();
    }
    return "writing";
  }

  private String credits(boolean begin) {
    credits = begin;
    return begin ? "with credits" : "without credits";
  }

  private String rest() throws InterruptedException {
    resting = true;
    int credited = 0;
    for (Writer writer : writers) {
      writer.thread.join();
      credited += writer.credited;
    }
    return failed.isEmpty()
        ? acknowledged + " acknowledged, " + credited + " of them credits"
        : "failed: " + failed;
  }

  /** Whether all servers have settled everything, to the very same bytes. */
  private String settled() {
    List<ServiceState> states =
        servers.stream().map(server -> admin.state(AccountsServer.SERVICE, server)).toList();
    long unsettled = states.stream().mapToLong(ServiceState::unsettled).sum();
    boolean alike = states.stream().allMatch(state -> state.isSameAs(states.getFirst()));
    return unsettled == 0 && alike
        ? "settled"
        : "%s, %d entries unsettled".formatted(alike ? "alike" : "not alike", unsettled);
  }

  private String wrong(Function<Writer, String> check) {
    return String.join("; ", writers.stream().map(check).filter(text -> !text.isEmpty()).toList());
  }

  /** Writes to one account, alone. */
  private final class Writer {
    final Thread thread;
    final String owner;
    private long cents;
    private int credited;
    private String note = "";

    Writer(String owner) {
      this.owner = owner;
      this.thread = Thread.ofPlatform().daemon().name(owner).unstarted(this::writeOn);
    }

    void writeOn() {
      try {
        for (long amount = 1; !resting; amount++) {
          write(amount, credits && amount % CREDIT_EVERY == 0);
          Thread.sleep(PAUSE_MILLIS);
        }
      } catch (InterruptedException end) {
        Thread.currentThread().interrupt();
      }
    }

    private void write(long amount, boolean isCredit) {
      String text = "note " + amount;
      Outcome<Long> outcome =
          frontEnd.outcome(
              accounts,
              service ->
                  isCredit ? service.credit(owner, amount, text) : service.deposit(owner, amount));
      cents += amount;
      if (isCredit) {
        credited++;
        note = text;
      }
      if (outcome instanceof Outcome.Ok<Long>) {
        acknowledged.incrementAndGet();
      } else {
        failed.add(owner + ", " + text + ": " + outcome);
      }
    }

    String wrongBalance() {
      long balance = accounts.balance(owner);
      return balance == cents ? "" : owner + " has " + balance + ", not " + cents;
    }

    String wrongNote() {
      int times = accounts.credits(owner);
      String kept = accounts.note(owner);
      return times == credited && kept.equals(note)
          ? ""
          : owner
              + " has "
              + times
              + " credits, not "
              + credited
              + ", and "
              + kept
              + ", not "
              + note;
    }
  }
}

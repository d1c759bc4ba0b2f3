package dev.tempest.cluster;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.admin.Admin;
import dev.tempest.admin.ServiceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A process with a front-end that writes to a {@link JournalOfUpdates} without end, and remembers
 * what it was told has happened.
 */
final class ClientProgram {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  /** All at once; what does not get its turn in time is refused. */
  private static final int BURST_UPDATES = 4_000;

  private static final Duration BURST_DEADLINE = Duration.ofMillis(300);

  private final int writing;
  private final long pauseMillis;
  private final List<String> servers;
  private final FrontEnd frontEnd;
  private final Admin admin;
  private final JournalOfUpdates journal;
  private final AtomicLong tags = new AtomicLong();
  private final ConcurrentLinkedQueue<Long> acknowledged = new ConcurrentLinkedQueue<>();
  private List<Long> vouchedFor = List.of();
  private final LongAdder unknown = new LongAdder();
  private final ConcurrentLinkedQueue<Long> refused = new ConcurrentLinkedQueue<>();
  private final Set<String> whyRefused = ConcurrentHashMap.newKeySet();
  private final List<Thread> writers = new ArrayList<>();
  private final List<CompletableFuture<Void>> bursts = new ArrayList<>();
  private volatile boolean resting;

  /** How often what was acknowledged has been forgiven. */
  private volatile int forgiven;

  private ClientProgram(int acks, int writing, long pauseMillis, List<String> servers) {
    this.writing = writing;
    this.pauseMillis = pauseMillis;
    this.servers = servers;
    FrontEndConfig config = FrontEndConfig.builder(servers).acks(acks).deadline(DEADLINE).build();
    this.frontEnd = FrontEnd.connect(config);
    this.admin = Admin.connect(config);
    this.journal = frontEnd.service(ServerProgram.SERVICE, JournalOfUpdates.class);
  }

  /**
   * Answers commands.
   *
   * @param arguments a name, the number of acks, how many threads write, how many milliseconds each
   *     rests after an update, then all servers
   */
  public static void main(String[] arguments) throws Exception {
    int acks = Integer.parseInt(arguments[1]);
    int writing = Integer.parseInt(arguments[2]);
    long pauseMillis = Long.parseLong(arguments[3]);
    List<String> servers = Arrays.asList(arguments).subList(4, arguments.length);
    ClientProgram program = new ClientProgram(acks, writing, pauseMillis, servers);
    Answering.begin(program::perform);
  }

  private String perform(String command) throws InterruptedException {
    return switch (command) {
      case "write" -> write();
      case "burst" -> burst();
      case "acknowledged" -> String.valueOf(acknowledged.size());
      case "vouch" -> vouch();
      case "forgive" -> forgive();
      case "rest" -> rest();
      case "settled" -> settled();
      case "wrong" -> wrong();
      default -> throw new IllegalArgumentException("unknown command: " + command);
    };
  }

  private String write() {
    for (int number = 0; number < writing; number++) {
      writers.add(Thread.ofPlatform().daemon().name("writer-" + number).start(this::writeOn));
    }
    return "writing";
  }

  private void writeOn() {
    try {
      while (!resting) {
        int before = forgiven;
        long tag = tags.incrementAndGet();
        note(tag, before, frontEnd.outcome(journal, service -> write(service, tag)));
        Thread.sleep(pauseMillis);
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes much at once beside the others, and does not wait for it. */
  private String burst() {
    JournalOfUpdates hurried = frontEnd.within(BURST_DEADLINE, journal);
    int before = forgiven;
    for (int update = 0; update < BURST_UPDATES; update++) {
      long tag = tags.incrementAndGet();
      bursts.add(
          frontEnd
              .async(hurried, service -> write(service, tag))
              .thenAccept(outcome -> note(tag, before, outcome)));
    }
    return "writing " + BURST_UPDATES + " more";
  }

  private void note(long tag, int forgivenBefore, Outcome<Void> outcome) {
    switch (outcome) {
      case Outcome.Ok<Void> ok -> acknowledge(tag, forgivenBefore);
      case Outcome.Unknown<Void> lost -> unknown.increment();
      case Outcome.Unable<Void>(Outcome.Reason reason, String detail) -> {
        refused.add(tag);
        whyRefused.add(reason + " " + detail);
      }
      case Outcome.Threw<Void> threw -> throw new IllegalStateException(threw.what());
    }
  }

  /** Whoever has answered may be dead by now, and what it answered forgiven. */
  private synchronized void acknowledge(long tag, int forgivenBefore) {
    if (forgivenBefore == forgiven) {
      acknowledged.add(tag);
    }
  }

  private static Void write(JournalOfUpdates service, long tag) {
    service.write(tag);
    return null;
  }

  /** What was acknowledged until now will never be forgiven. */
  private String vouch() {
    vouchedFor = List.copyOf(acknowledged);
    return vouchedFor.size() + " to be there";
  }

  /** Of what was acknowledged since then, any may be lost. */
  private synchronized String forgive() {
    forgiven++;
    int before = acknowledged.size();
    acknowledged.clear();
    acknowledged.addAll(vouchedFor);
    return before - vouchedFor.size() + " may be lost";
  }

  private String rest() throws InterruptedException {
    resting = true;
    for (Thread writer : writers) {
      writer.join();
    }
    bursts.forEach(CompletableFuture::join);
    return "%d acknowledged, %d unknown, %d refused%s"
        .formatted(
            acknowledged.size(),
            unknown.sum(),
            refused.size(),
            whyRefused.isEmpty() ? "" : " for " + whyRefused);
  }

  /** Whether all servers have settled everything, to the very same bytes. */
  private String settled() {
    List<ServiceState> states =
        servers.stream().map(server -> admin.state(ServerProgram.SERVICE, server)).toList();
    long unsettled = states.stream().mapToLong(ServiceState::unsettled).sum();
    boolean alike = states.stream().allMatch(state -> state.isSameAs(states.getFirst()));
    return unsettled == 0 && alike
        ? "settled"
        : "%s, %d entries unsettled".formatted(alike ? "alike" : "not alike", unsettled);
  }

  /** What is not as it was promised; empty if all is well. */
  private String wrong() {
    Set<Long> written = new HashSet<>();
    List<Long> twice = new ArrayList<>();
    for (long tag : journal.written()) {
      if (!written.add(tag)) {
        twice.add(tag);
      }
    }
    List<Long> lost = acknowledged.stream().filter(tag -> !written.contains(tag)).toList();
    List<Long> lied = refused.stream().filter(written::contains).toList();
    return lost.isEmpty() && twice.isEmpty() && lied.isEmpty()
        ? ""
        : "lost %s, executed twice %s, refused but executed %s".formatted(lost, twice, lied);
  }
}

package dev.tempest.cli;

import dev.tempest.simulator.Report;
import dev.tempest.simulator.Report.Counts;
import dev.tempest.simulator.Simulation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Seeds in a row, several at a time, until one fails. */
final class SeedRun {
  private static final long JOIN_MILLIS = 200;
  private static final double NANOS_PER_SECOND = 1e9;

  private final long from;
  private final long count;
  private final int threads;
  private final Simulation.Options options;
  private final AtomicLong taken = new AtomicLong();
  private final LongAdder done = new LongAdder();
  private final LongAdder steps = new LongAdder();
  private final LongAdder updates = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder acknowledged = new LongAdder();
  private final LongAdder givenUp = new LongAdder();
  private final LongAdder undecided = new LongAdder();
  private final LongAdder crashes = new LongAdder();
  private final LongAdder virtualMillis = new LongAdder();
  private final ConcurrentLinkedQueue<Report.Failed> failures = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Throwable> bugs = new ConcurrentLinkedQueue<>();
  private long startNanos;
  private long endNanos;

  SeedRun(long from, long count, int threads, Simulation.Options options) {
    this.from = from;
    this.count = count;
    this.threads = threads;
    this.options = options;
  }

  /** Runs them; the lowest seed that failed, if one did. */
  Optional<Report.Failed> run(SeedProgress progress) throws InterruptedException {
    startNanos = System.nanoTime();
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(Thread.ofPlatform().daemon().name("seeds-" + i).start(this::work));
    }
    for (Thread worker : workers) {
      while (worker.isAlive()) {
        worker.join(JOIN_MILLIS);
        progress.show(done.sum(), count, secondsSince(startNanos));
      }
    }
    progress.clear();
    endNanos = System.nanoTime();
    if (!bugs.isEmpty()) {
      throw new IllegalStateException("the simulator failed", bugs.peek());
    }
    return failures.stream().min(Comparator.comparingLong(Report.Failed::seed));
  }

  /** What was done, in a sentence. */
  String summary() {
    double seconds = (endNanos - startNanos) / NANOS_PER_SECOND;
    return String.format(
        Locale.ROOT,
        "%,d seeds from %d in %.1f s (%s): %,d steps, %,d datagrams lost, %,d crashes, %,.1f"
            + " hours for those inside;%n%s; %s",
        done.sum(),
        from,
        seconds,
        SeedProgress.rate(done.sum() / seconds),
        steps.sum(),
        lost.sum(),
        crashes.sum(),
        virtualMillis.sum() / 3.6e6,
        counted(),
        failures.isEmpty() ? "every promise was kept" : "a promise was broken");
  }

  /** What the subject counts; what it does not is zero in each report. */
  private String counted() {
    String all =
        switch (options.subject()) {
          case SERVICE ->
              text(
                  "%,d updates, %,d acknowledged, %,d of them given up when two sides met",
                  updates, acknowledged, givenUp);
          case COLLECTIONS, LINEARIZABLE -> text("%,d writes into collections", writes);
          case CONSENSUS -> text("%,d updates, %,d acknowledged", updates, acknowledged);
          case LOG -> text("%,d entries proposed, %,d slots committed", updates, acknowledged);
        };
    return undecided.sum() == 0
        ? all
        : all + text("; %,d searches for an order given up", undecided);
  }

  private static String text(String format, LongAdder... counts) {
    return String.format(Locale.ROOT, format, Stream.of(counts).map(LongAdder::sum).toArray());
  }

  private void work() {
    try {
      // Seeds are taken in order and finished once taken: the lowest failing one is never missed.
      for (long i = taken.getAndIncrement(); i < count && mayGoOn(); i = taken.getAndIncrement()) {
        Report report = Simulation.run(from + i, options);
        count(report.counts());
        if (report instanceof Report.Failed failed) {
          failures.add(failed);
        }
      }
    } catch (RuntimeException | Error e) {
      bugs.add(e);
    }
  }

  private boolean mayGoOn() {
    return failures.isEmpty() && bugs.isEmpty();
  }

  private void count(Counts counts) {
    done.increment();
    steps.add(counts.steps());
    updates.add(counts.updates());
    writes.add(counts.writes());
    lost.add(counts.lost());
    acknowledged.add(counts.acknowledged());
    givenUp.add(counts.givenUp());
    undecided.add(counts.undecided());
    crashes.add(counts.crashes());
    virtualMillis.add(counts.virtualMillis());
  }

  private static double secondsSince(long startNanos) {
    return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
  }
}

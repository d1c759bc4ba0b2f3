package dev.tempest.bench.tempest;

import dev.tempest.FrontEndConfig;
import dev.tempest.bench.load.ChildMain;
import dev.tempest.bench.load.Sample;
import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Clients of services that take time, each with a front-end and a thread of its own. They do what
 * the simulator's do, from the same seed.
 */
public final class TimedClient {
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /** As front-ends wait by default, and the simulator's do. */
  private static final Duration RETRY_AFTER = Duration.ofMillis(50);

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final TimedServices.Plan plan;
  private final FrontEndConfig config;
  private final List<ServiceKind> hosted;
  private final long startNanos = System.nanoTime();
  private final long fromNanos;
  private final long toNanos;
  private final Histogram reads = Sample.newHistogram();
  private final Histogram updates = Sample.newHistogram();
  private int unanswered;

  private TimedClient(TimedServices.Plan plan, FrontEndConfig config, List<ServiceKind> hosted) {
    this.plan = plan;
    this.config = config;
    this.hosted = hosted;
    this.fromNanos = startNanos + plan.warmUpMillis() * NANOS_PER_MILLI;
    this.toNanos = fromNanos + plan.measuredMillis() * NANOS_PER_MILLI;
  }

  /**
   * Runs the parent's {@linkplain TimedServices.Plan plans}, answers with what reads took and what
   * updates took. Arguments: servers, multicast port, kinds of the services there.
   */
  public static void main(String[] args) throws IOException {
    FrontEndConfig config =
        TempestArguments.frontEnd(args[0], args[1])
            .retryAfter(RETRY_AFTER)
            .deadline(DEADLINE)
            .build();
    List<ServiceKind> hosted = TimedServices.kinds(args[2]);
    ChildMain.serveLines(
        line -> new TimedClient(TimedServices.Plan.parse(line), config, hosted).run());
  }

  private String run() throws Exception {
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      List<Future<?>> clients = new ArrayList<>();
      for (int client = 0; client < plan.workload().clients(); client++) {
        ServiceWorkload.Source source = plan.workload().requests(client, plan.seed());
        clients.add(threads.submit(() -> run(source)));
      }
      for (Future<?> client : clients) {
        client.get();
      }
    }
    return sample(reads).toLine() + ";" + sample(updates).toLine();
  }

  private Sample sample(Histogram nanos) {
    return new Sample(
        nanos, toNanos - fromNanos, nanos.getTotalCount(), Sample.NOT_COUNTED, unanswered);
  }

  private void run(ServiceWorkload.Source source) {
    ServiceWorkload workload = plan.workload();
    try (ServiceAsker asker = ServiceAsker.of(config, hosted, workload)) {
      long sendNanos = startNanos + source.firstAfterNanos();
      while (sendNanos - toNanos < 0) {
        sleepUntil(sendNanos);
        long sentNanos = System.nanoTime();
        ServiceWorkload.Ask ask = source.next();
        boolean answered = asker.ask(ask);
        long endedNanos = System.nanoTime();
        if (sentNanos - fromNanos >= 0) {
          note(ask, answered, endedNanos - sentNanos);
        }
        long nextNanos = sentNanos + workload.everyMillis() * NANOS_PER_MILLI;
        sendNanos = endedNanos - nextNanos > 0 ? endedNanos : nextNanos;
      }
    }
  }

  private synchronized void note(ServiceWorkload.Ask ask, boolean answered, long nanos) {
    if (answered) {
      (ask.update() ? updates : reads).recordValue(Math.min(nanos, Sample.MAX_NANOS));
    } else {
      unanswered++;
    }
  }

  private static void sleepUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}

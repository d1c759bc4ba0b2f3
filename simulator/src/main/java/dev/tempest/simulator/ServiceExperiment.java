package dev.tempest.simulator;

import dev.tempest.simulator.ServiceWorkload.Ask;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How long clients wait for services that take time, with more and more replicas (Tempest, section
 * 4.3). Replicas and front-ends are those that users run; servers and network are made up: nothing
 * is lost and nobody fails. Everything follows from the seed.
 */
public final class ServiceExperiment {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** How much longer to go on for requests under way, at a time. */
  private static final long DRAIN_NANOS = 100 * NANOS_PER_MILLI;

  /**
   * What to simulate.
   *
   * @param replicas of each service
   * @param together whether each server hosts all services; otherwise each replica has a server to
   *     itself
   * @param meanServiceNanos what executing a method takes, on average
   * @param warmUpMillis before requests count
   * @param measuredMillis while requests count that are sent
   */
  public record Settings(
      ServiceWorkload workload,
      int replicas,
      boolean together,
      long meanServiceNanos,
      int warmUpMillis,
      int measuredMillis,
      long seed)
      implements Serializable {
    /** Checks the limits. */
    public Settings {
      if (replicas < 1 || replicas > 1_000) {
        throw new IllegalArgumentException("1 to 1000 replicas, not " + replicas);
      }
      if (warmUpMillis < 0 || measuredMillis < 1) {
        throw new IllegalArgumentException("need 1 ms to measure and no negative time");
      }
    }
  }

  /** What the requests that counted took, in nanoseconds, in the order in which they ended. */
  public static final class Result {
    private final long[] reads;
    private final long[] updates;
    private final int unanswered;
    private final long executions;
    private final double busyShare;

    private Result(ServiceExperiment run, double busyShare) {
      this.reads = nanos(run.reads);
      this.updates = nanos(run.updates);
      this.unanswered = run.unanswered;
      this.executions = run.executions();
      this.busyShare = busyShare;
    }

    private static long[] nanos(List<Long> list) {
      return list.stream().mapToLong(Long::longValue).toArray();
    }

    /** Of requests that read. */
    public long[] readNanos() {
      return Arrays.copyOf(reads, reads.length);
    }

    /** Of requests that updated. */
    public long[] updateNanos() {
      return Arrays.copyOf(updates, updates.length);
    }

    /** How many requests were not whole at their deadline; they are not among the others. */
    public int unanswered() {
      return unanswered;
    }

    /** How often methods were executed, at all replicas, in the whole run. */
    public long executions() {
      return executions;
    }

    /** Which part of the time servers were busy, on average. */
    public double busyShare() {
      return busyShare;
    }
  }

  private final Settings settings;
  private final Agenda agenda = new Agenda();
  private final ServiceCloud cloud;
  private final long fromNanos;
  private final long toNanos;
  private final List<Long> reads = new ArrayList<>();
  private final List<Long> updates = new ArrayList<>();
  private int unanswered;
  private int clientsLeft;

  private ServiceExperiment(Settings settings) {
    this.settings = settings;
    this.clientsLeft = settings.workload.clients();
    this.cloud =
        new ServiceCloud(
            agenda,
            settings.workload.services(),
            settings.replicas,
            settings.together,
            settings.meanServiceNanos,
            Randomness.mix(settings.seed));
    this.fromNanos = settings.warmUpMillis * NANOS_PER_MILLI;
    this.toNanos = fromNanos + settings.measuredMillis * NANOS_PER_MILLI;
  }

  /** Runs it. The same settings give the same result. */
  public static Result run(Settings settings) {
    ServiceExperiment run = new ServiceExperiment(settings);
    for (int client = 0; client < settings.workload.clients(); client++) {
      run.start(client);
    }
    run.agenda.runUntil(run.toNanos);
    double busyShare = run.busyShare();
    while (run.clientsLeft > 0) {
      run.agenda.runUntil(run.agenda.nowNanos() + DRAIN_NANOS);
    }
    return new Result(run, busyShare);
  }

  private void start(int number) {
    ServiceWorkload.Source source = settings.workload.requests(number, settings.seed);
    ServiceCloud.Client client = cloud.client(settings.workload.asking());
    agenda.after(source.firstAfterNanos(), () -> send(client, source));
  }

  private void send(ServiceCloud.Client client, ServiceWorkload.Source source) {
    long sentNanos = agenda.nowNanos();
    if (sentNanos >= toNanos) {
      clientsLeft--;
      return;
    }
    Ask ask = source.next();
    Parts parts = new Parts(ask.services().size());
    for (int service : ask.services()) {
      client.ask(
          service,
          ask.update(),
          ask.key(),
          answered -> {
            if (parts.isLast(answered)) {
              ended(ask, sentNanos, parts.allAnswered);
              long nextNanos = sentNanos + settings.workload.everyMillis() * NANOS_PER_MILLI;
              agenda.at(nextNanos, () -> send(client, source));
            }
          });
    }
  }

  private void ended(Ask ask, long sentNanos, boolean answered) {
    if (sentNanos < fromNanos) {
      return;
    }
    if (answered) {
      (ask.update() ? updates : reads).add(agenda.nowNanos() - sentNanos);
    } else {
      unanswered++;
    }
  }

  private long executions() {
    return cloud.servers().stream().mapToLong(BusyServer::executions).sum();
  }

  private double busyShare() {
    long busy = cloud.servers().stream().mapToLong(BusyServer::busyNanos).sum();
    return (double) busy / cloud.servers().size() / toNanos;
  }

  /** The parts of one request that have not ended yet. */
  private static final class Parts {
    private int open;
    private boolean allAnswered = true;

    Parts(int open) {
      this.open = open;
    }

    boolean isLast(boolean answered) {
      allAnswered &= answered;
      return --open == 0;
    }
  }
}

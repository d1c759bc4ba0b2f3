package dev.tempest.bench;

import dev.tempest.bench.load.Sample;
import dev.tempest.bench.tempest.TimedServices;
import dev.tempest.simulator.ServiceExperiment;
import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceWorkload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * What requests to services that take time took under one workload, a line of JSON.
 *
 * @param layout of the services on servers
 * @param reads interaction times of requests that read, nanoseconds
 * @param updates the same of those that updated
 * @param unanswered requests that were not whole at their deadline, in none of the two
 * @param measured whether on real servers; otherwise simulated
 */
record ServicePoint(
    String benchmark,
    ServiceWorkload workload,
    Layout layout,
    Histogram reads,
    Histogram updates,
    long unanswered,
    boolean measured) {

  /** The paper's histograms have bins so wide. */
  static final int BIN_MILLIS = 10;

  private static final int NANOS_PER_MILLI = 1_000_000;

  /**
   * Where services run.
   *
   * @param replicas of each
   * @param together whether each server hosts all of them; otherwise each replica has a server to
   *     itself
   * @param meanServiceMicros what executing a method takes, on average
   */
  record Layout(int replicas, boolean together, int meanServiceMicros) {
    long meanServiceNanos() {
      return meanServiceMicros * 1_000L;
    }
  }

  /** Simulates one. */
  static ServicePoint simulate(
      String benchmark, ServiceWorkload workload, Layout layout, SimulatedTime time) {
    ServiceExperiment.Result result =
        ServiceExperiment.run(
            new ServiceExperiment.Settings(
                workload,
                layout.replicas,
                layout.together,
                layout.meanServiceNanos(),
                time.warmUpMillis(),
                time.measuredMillis(),
                time.seed()));
    return new ServicePoint(
        benchmark,
        workload,
        layout,
        histogram(result.readNanos()),
        histogram(result.updateNanos()),
        result.unanswered(),
        false);
  }

  /**
   * For how long, in virtual time.
   *
   * @param warmUpMillis before requests count
   */
  record SimulatedTime(int warmUpMillis, int measuredMillis, long seed) {}

  private static Histogram histogram(long[] nanos) {
    Histogram histogram = Sample.newHistogram();
    for (long each : nanos) {
      histogram.recordValue(Math.min(each, Sample.MAX_NANOS));
    }
    return histogram;
  }

  MeanError readMillis() {
    return MeanError.millis(reads);
  }

  MeanError updateMillis() {
    return MeanError.millis(updates);
  }

  MeanError millis() {
    return MeanError.millis(all());
  }

  /** Milliseconds that so many of 100 requests did not exceed. */
  double percentileMillis(double percentile) {
    return all().getValueAtPercentile(percentile) / (double) NANOS_PER_MILLI;
  }

  private Histogram all() {
    Histogram all = reads.copy();
    all.add(updates);
    return all;
  }

  /** How many requests ended within each 10 ms, by the milliseconds at which these begin. */
  NavigableMap<Integer, Double> bins() {
    NavigableMap<Integer, Double> bins = new TreeMap<>();
    Histogram all = all();
    all.recordedValues()
        .forEach(value -> {
          long millis = value.getValueIteratedTo() / NANOS_PER_MILLI;
          int bin = Math.toIntExact(millis / BIN_MILLIS * BIN_MILLIS);
          bins.merge(bin, (double) value.getCountAddedInThisIterationStep(), Double::sum);
        });
    return bins;
  }

  /** As one line of JSON, without the line's end; the same for the same simulation. */
  String toJson() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("benchmark", benchmark);
    fields.put("source", source());
    fields.put("services", TimedServices.names(workload.services()));
    fields.put("perRequest", workload.perRequest());
    fields.put("clients", workload.clients());
    fields.put("everyMillis", workload.everyMillis());
    fields.put("asking", workload.asking());
    fields.put("replicas", layout.replicas());
    fields.put("together", layout.together());
    fields.put("meanServiceMicros", layout.meanServiceMicros());
    put(fields, "read", reads);
    put(fields, "update", updates);
    put(fields, "request", all());
    fields.put("unanswered", unanswered);
    if (measured) {
      fields.put("cores", Runtime.getRuntime().availableProcessors());
      fields.put("jdk", Runtime.version());
    }
    return JsonLine.of(fields);
  }

  String source() {
    return measured ? "measured" : "simulated";
  }

  private static void put(Map<String, Object> fields, String what, Histogram nanos) {
    MeanError millis = MeanError.millis(nanos);
    fields.put(what + "s", millis.count());
    fields.put(what + "MeanMillis", millis.mean());
    fields.put(what + "ErrorMillis", millis.error());
    for (int percentile : List.of(50, 99)) {
      double value = nanos.getValueAtPercentile(percentile) / (double) NANOS_PER_MILLI;
      fields.put("%sP%dMillis".formatted(what, percentile), value);
    }
  }

  /** The six kinds of the paper. */
  static List<ServiceKind> sixKinds() {
    return Stream.of(ServiceKind.values()).filter(kind -> kind != ServiceKind.NULL).toList();
  }
}

package dev.tempest.bench;

import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.load.Sample;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One measured point, a line of JSON.
 *
 * @param benchmark which benchmark, such as {@code echo}
 * @param system what was under load, floor or ours
 * @param round from 0; systems measured in the same round ran one right after the other
 * @param timestamp when the run ended
 * @param processorMicros processor time per request of all processes of the system together
 */
record Measurement(
    String benchmark,
    String system,
    LoadPlan plan,
    int round,
    Instant timestamp,
    Sample sample,
    double processorMicros) {

  static Measurement of(
      String benchmark,
      String system,
      LoadPlan plan,
      int round,
      Sample sample,
      double processorMicros) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return new Measurement(benchmark, system, plan, round, now, sample, processorMicros);
  }

  double meanMicros() {
    return sample.interactionNanos().getMean() / 1e3;
  }

  double p50Micros() {
    return sample.percentileMicros(50);
  }

  /** As one line of JSON, without the line's end. */
  String toJson() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("benchmark", benchmark);
    fields.put("system", system);
    fields.put("clients", plan.clients());
    fields.put("thinkMillis", plan.thinkMillis());
    fields.put("round", round);
    fields.put("measuredMillis", plan.measuredMillis());
    fields.put("requests", sample.interactionNanos().getTotalCount());
    fields.put("requestsPerSecond", sample.requestsPerSecond());
    fields.put("meanMicros", meanMicros());
    fields.put("p50Micros", p50Micros());
    fields.put("p90Micros", sample.percentileMicros(90));
    fields.put("p99Micros", sample.percentileMicros(99));
    fields.put("p999Micros", sample.percentileMicros(99.9));
    fields.put("maxMicros", sample.percentileMicros(100));
    if (sample.resent() != Sample.NOT_COUNTED) {
      fields.put("resent", sample.resent());
    }
    fields.put("failed", sample.failed());
    fields.put("processorMicros", processorMicros);
    fields.put("timestamp", timestamp);
    fields.put("cores", Runtime.getRuntime().availableProcessors());
    fields.put("jdk", Runtime.version());
    return JsonLine.of(fields);
  }
}

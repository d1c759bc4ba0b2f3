package dev.tempest.bench;

import dev.tempest.bench.collections.MapAnswer;
import dev.tempest.bench.collections.MapKind;
import dev.tempest.bench.collections.MapRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One measured point of a map, a line of JSON.
 *
 * @param round from 0; maps measured in the same round came one right after the other
 * @param deliveredPerSecond how many writes all other processes had per second, from the first
 *     write until the last had arrived; 0 if nothing was written or there are no others
 */
record MapPoint(
    MapKind kind,
    MapRequest.Kind operation,
    int entries,
    int round,
    MapAnswer answer,
    double deliveredPerSecond) {

  String toJson(String benchmark) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("benchmark", benchmark);
    fields.put("system", kind.title());
    fields.put("operation", operation);
    fields.put("entries", entries);
    fields.put("round", round);
    fields.put("operations", answer.operations());
    fields.put("nanosPerOperation", answer.nanosPerOperation());
    fields.put("operationsPerSecond", 1e9 / answer.nanosPerOperation());
    if (operation == MapRequest.Kind.PUT_PACED) {
      fields.put("p50Nanos", answer.p50Nanos());
      fields.put("p99Nanos", answer.p99Nanos());
    }
    if (answer.processorNanos() > 0) {
      fields.put("processorNanosPerOperation", answer.processorNanosPerOperation());
    }
    if (deliveredPerSecond > 0) {
      fields.put("deliveredPerSecond", deliveredPerSecond);
    }
    fields.put("cores", Runtime.getRuntime().availableProcessors());
    fields.put("jdk", Runtime.version());
    return JsonLine.of(fields);
  }
}

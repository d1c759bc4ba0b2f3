package dev.tempest.bench;

import dev.tempest.bench.collections.MapAnswer;
import dev.tempest.bench.collections.MapKind;
import dev.tempest.bench.collections.MapRequest;
import dev.tempest.bench.load.ChildProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What maps take of the heap per entry, keys and values aside: by how much the heap grows when the
 * same objects are put into each, in a process of its own whose collector leaves no garbage.
 */
final class HeapBytes {
  private static final List<String> OPTIONS = List.of("-Xmx2g", "-XX:+UseSerialGC");

  private HeapBytes() {}

  /** Bytes per entry of each kind, alone in its cluster. */
  static Map<MapKind, Double> measure(
      String benchmark, List<MapKind> kinds, int entries, ResultFolder results, Progress progress)
      throws IOException, InterruptedException {
    Map<MapKind, Double> bytes = new LinkedHashMap<>();
    for (MapKind kind : kinds) {
      progress.say("bytes per entry: " + kind.title());
      try (Processes processes = new Processes(results.log())) {
        ChildProcess process = processes.lonelyMap(kind, OPTIONS);
        MapRequest request = new MapRequest(MapRequest.Kind.BYTES, entries, 0);
        MapAnswer answer = MapAnswer.parse(process.ask(request.toLine(), Duration.ofMinutes(2)));
        bytes.put(kind, (double) answer.value() / entries);
      }
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("benchmark", benchmark);
      fields.put("system", kind.title());
      fields.put("entries", entries);
      fields.put("bytesPerEntry", bytes.get(kind));
      results.addLine(JsonLine.of(fields));
    }
    return bytes;
  }
}

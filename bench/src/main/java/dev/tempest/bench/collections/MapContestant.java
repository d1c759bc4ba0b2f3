package dev.tempest.bench.collections;

import dev.tempest.bench.Point;
import dev.tempest.bench.Run;
import dev.tempest.bench.Turn;
import dev.tempest.bench.load.Child;
import dev.tempest.bench.load.JavaCommand;
import dev.tempest.bench.load.Processes;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Maps of one kind that are measured.
 *
 * @param user the process that uses them
 * @param others the processes that have them too
 */
record MapContestant(
    MapKind kind, Child<MapRequest, MapAnswer> user, List<Child<MapRequest, MapAnswer>> others) {
  static final List<MapRequest.Kind> OPERATIONS =
      List.of(
          MapRequest.Kind.GET_NEXT,
          MapRequest.Kind.GET,
          MapRequest.Kind.PUT,
          MapRequest.Kind.COMPUTE,
          MapRequest.Kind.PUT_PACED);

  /** Long enough for 300 puts, of which 3 are the slowest hundredth. */
  private static final int PACED_MILLIS = 300;

  private static final long WARM_UP_OPERATIONS = 100_000;
  private static final int WARM_UP_TIMES_MAX = 4;
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final List<String> BYTES_OPTIONS = List.of("-Xmx2g", "-XX:+UseSerialGC");

  /** Starts a kind of map in all the processes that it lives in, fills and warms it up. */
  static MapContestant start(MapKind kind, Processes processes, Run run)
      throws IOException, InterruptedException {
    run.say("starting and filling: " + kind.title());
    List<Integer> ports = FreePorts.find(kind.nodes());
    String cluster = Processes.newClusterName();
    List<MapProgram> programs = new ArrayList<>();
    for (int index = 0; index < kind.nodes(); index++) {
      programs.add(new MapProgram(kind, cluster, List.copyOf(ports)));
      Collections.rotate(ports, -1);
    }
    JavaCommand java = JavaCommand.measured().withOptions(kind.jvmOptions());
    List<Child<MapRequest, MapAnswer>> all = processes.start(kind.title(), java, programs);
    MapContestant contestant =
        new MapContestant(kind, all.getFirst(), List.copyOf(all.subList(1, all.size())));
    contestant.prepare(run.settings().numbers("entries"), run.settings().millis("warm-up"));
    return contestant;
  }

  private void prepare(List<Integer> sizes, long warmUpMillis)
      throws IOException, InterruptedException {
    for (int entries : sizes) {
      ask(user, new MapRequest(MapRequest.Kind.FILL, entries, 0));
      settle(entries);
      for (MapRequest.Kind operation : OPERATIONS) {
        // Compilers count calls, not seconds, and a busy machine needs many seconds for them.
        long operations = 0;
        for (int times = 0; times < WARM_UP_TIMES_MAX && operations < WARM_UP_OPERATIONS; times++) {
          operations += ask(user, new MapRequest(operation, entries, warmUpMillis)).operations();
        }
        settle(entries);
      }
    }
  }

  /** Has the user do one operation again and again for so long, when it is its turn. */
  Turn under(MapRequest.Kind operation, int entries, long millis) {
    return new Turn(
        "%s, %s, %,d entries".formatted(kind.title(), operation.title(), entries),
        () -> measure(operation, entries, millis));
  }

  private Point measure(MapRequest.Kind operation, int entries, long millis)
      throws IOException, InterruptedException {
    boolean paced = operation == MapRequest.Kind.PUT_PACED;
    long startNanos = System.nanoTime();
    MapAnswer answer = ask(user, new MapRequest(operation, entries, paced ? PACED_MILLIS : millis));
    // Where each was timed, the median: a thread that the machine stops for a moment takes as long
    // as thousands of operations.
    double nanos = paced ? answer.p50Nanos() : answer.nanosPerOperation();
    Point point =
        Point.of(
            "system",
            kind.title(),
            "operation",
            operation.title(),
            "entries",
            entries,
            "operations",
            answer.operations(),
            "nanos",
            nanos,
            "operationsPerSecond",
            1e9 / answer.nanosPerOperation());
    point =
        paced
            ? point.with("p99Nanos", answer.p99Nanos())
            : point.with("processorNanos", answer.processorNanosPerOperation());
    if (operation.writes() && !others.isEmpty()) {
      // The next one is not to be measured while this one's writes still travel.
      long delivered = answer.operations() + settle(entries);
      double perSecond = delivered * 1e9 / (System.nanoTime() - startNanos);
      point = point.with("deliveredPerSecond", perSecond);
    }
    return point.onThisMachine();
  }

  /**
   * Waits until the others have what the user has.
   *
   * @return how many entries were put to find it out
   */
  private int settle(int entries) throws IOException, InterruptedException {
    if (others.isEmpty()) {
      return 0;
    }
    MapAnswer mark = ask(user, new MapRequest(MapRequest.Kind.MARK, entries, 0));
    for (Child<MapRequest, MapAnswer> other : others) {
      ask(other, new MapRequest(MapRequest.Kind.AWAIT, entries, mark.value()));
    }
    return Math.toIntExact(mark.operations());
  }

  private static MapAnswer ask(Child<MapRequest, MapAnswer> process, MapRequest request)
      throws IOException, InterruptedException {
    return process.ask(request, LONG);
  }

  /**
   * What a map takes of the heap, keys and values aside: by how much it grows when the same objects
   * are put into each, in a process of its own whose collector leaves no garbage.
   */
  static Point bytes(MapKind kind, int entries, Run run) throws IOException, InterruptedException {
    try (Processes processes = new Processes(run.log())) {
      JavaCommand java =
          JavaCommand.plain().withOptions(BYTES_OPTIONS).withOptions(kind.jvmOptions());
      MapProgram lonely =
          new MapProgram(kind, Processes.newClusterName(), List.copyOf(FreePorts.find(1)));
      var process = processes.start(kind.title(), java, List.of(lonely)).getFirst();
      MapAnswer answer = ask(process, new MapRequest(MapRequest.Kind.BYTES, entries, 0));
      return Point.of(
          "system",
          kind.title(),
          "entries",
          entries,
          "bytesPerEntry",
          (double) answer.value() / entries);
    }
  }
}

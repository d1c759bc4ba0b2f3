package dev.tempest.bench;

import dev.tempest.bench.MapProgram.Request;
import dev.tempest.bench.MapProgram.What;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Maps of one kind that are measured.
 *
 * @param user the process that uses them
 * @param others the processes that have them too
 */
record MapContestant(MapKind kind, Child<Request, Point> user, List<Child<Request, Point>> others) {
  static final List<What> OPERATIONS =
      List.of(What.GET_NEXT, What.GET, What.PUT, What.COMPUTE, What.PUT_PACED);

  /** Of a map whose puts wait for others. */
  static final List<What> READS = List.of(What.GET_NEXT, What.GET, What.GET_BETWEEN_PUTS);

  /** Long enough for 300 puts, of which 3 are the slowest hundredth. */
  private static final Duration PACED = Duration.ofMillis(300);

  private static final long WARM_UP_OPERATIONS = 100_000;
  private static final int WARM_UP_TIMES_MAX = 4;
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final List<String> BYTES_OPTIONS = List.of("-Xmx2g", "-XX:+UseSerialGC");

  /** Starts a kind of map in all the processes that it lives in, fills and warms it up. */
  static MapContestant start(MapKind kind, List<What> operations, Processes processes, Run run)
      throws IOException, InterruptedException {
    run.say("starting and filling: " + kind.title);
    MapContestant contestant = start(kind, kind.nodes, JavaCommand.MEASURED, processes);
    Duration warmUp = Duration.ofMillis(run.settings().millis("warm-up"));
    for (int entries : run.settings().numbers("entries")) {
      contestant.ask(What.FILL, entries, Duration.ZERO);
      contestant.settle(entries);
      for (What operation : operations) {
        // Compilers count calls, not seconds, and a busy machine needs many seconds for them.
        double done = 0;
        for (int times = 0; times < WARM_UP_TIMES_MAX && done < WARM_UP_OPERATIONS; times++) {
          done += contestant.ask(operation, entries, warmUp).number("operations");
        }
        contestant.settle(entries);
      }
    }
    return contestant;
  }

  private static MapContestant start(MapKind kind, int nodes, JavaCommand java, Processes processes)
      throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.find(nodes);
    String cluster = Processes.newClusterName();
    List<Program<Request, Point>> programs = new ArrayList<>();
    for (int index = 0; index < nodes; index++) {
      List<Integer> ownFirst = List.copyOf(ports);
      programs.add(() -> new MapProgram(kind, cluster, ownFirst));
      Collections.rotate(ports, -1);
    }
    var all = processes.start(kind.title, java.with(kind.jvmOptions()), programs);
    return new MapContestant(kind, all.getFirst(), all.subList(1, nodes));
  }

  private Point ask(What what, int entries, Duration duration)
      throws IOException, InterruptedException {
    return user.ask(new Request(what, entries, duration), LONG);
  }

  /** All processes do the same at once; what the user says counts. */
  private Point askAll(What what, int entries, Duration duration)
      throws IOException, InterruptedException {
    Request request = new Request(what, entries, duration);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Point>> asked =
          others.stream().map(other -> threads.submit(() -> other.ask(request, LONG))).toList();
      Point point = user.ask(request, LONG);
      for (Future<Point> other : asked) {
        var _ = other.get();
      }
      return point;
    } catch (ExecutionException failed) {
      throw new IOException(failed);
    }
  }

  /** Has the user do one operation again and again for so long. */
  Point measure(What operation, int entries, Duration usual)
      throws IOException, InterruptedException {
    Duration duration = operation == What.PUT_PACED ? PACED : usual;
    long startNanos = System.nanoTime();
    Point done =
        operation == What.GET_BETWEEN_PUTS
            ? askAll(operation, entries, duration)
            : ask(operation, entries, duration);
    Point point = done.with("system", kind.title, "operation", operation.title, "entries", entries);
    if (operation.writes() && !others.isEmpty()) {
      // The next one is not to be measured while this one's writes still travel.
      double delivered = done.number("operations") + settle(entries);
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
  private double settle(int entries) throws IOException, InterruptedException {
    if (others.isEmpty()) {
      return 0;
    }
    Point mark = ask(What.MARK, entries, Duration.ZERO);
    for (Child<Request, Point> other : others) {
      var _ = other.ask(new Request(What.AWAIT_MARK, entries, Duration.ZERO), LONG);
    }
    return mark.number("operations");
  }

  /**
   * What a map takes of the heap, keys and values aside: by how much it grows when the same objects
   * are put into each, in a process of its own whose collector leaves no garbage.
   */
  static Point bytes(MapKind kind, int entries, Run run) throws IOException, InterruptedException {
    try (Processes processes = new Processes(run.log())) {
      JavaCommand java = JavaCommand.PLAIN.with(BYTES_OPTIONS);
      return start(kind, 1, java, processes)
          .ask(What.BYTES, entries, Duration.ZERO)
          .with("system", kind.title, "entries", entries);
    }
  }
}

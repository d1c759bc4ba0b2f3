package dev.tempest.bench;

import dev.tempest.bench.collections.MapAnswer;
import dev.tempest.bench.collections.MapKind;
import dev.tempest.bench.collections.MapRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Maps of several kinds under the same operations, in rounds: whatever else the machine does in a
 * round, it does to all of them.
 */
final class MapRounds {
  /** Long enough for 300 puts, of which 3 are the slowest hundredth. */
  private static final int PACED_MILLIS = 300;

  private static final long WARM_UP_OPERATIONS = 100_000;
  private static final int WARM_UP_TIMES_MAX = 4;

  private static final List<MapRequest.Kind> ALL =
      List.of(
          MapRequest.Kind.GET_NEXT,
          MapRequest.Kind.GET,
          MapRequest.Kind.PUT,
          MapRequest.Kind.COMPUTE,
          MapRequest.Kind.PUT_PACED);

  private final ResultFolder results;
  private final Progress progress;
  private final List<Integer> sizes;
  private final List<MapPoint> points = new ArrayList<>();

  MapRounds(ResultFolder results, Progress progress, List<Integer> sizes) {
    this.results = results;
    this.progress = progress;
    this.sizes = sizes;
  }

  /** Measures. All processes have ended when it returns. */
  void run(String benchmark, List<MapKind> kinds, Duration warmUp, int rounds, Duration each)
      throws IOException, InterruptedException {
    try (Processes processes = new Processes(results.log())) {
      List<MapContestant> contestants = new ArrayList<>();
      for (MapKind kind : kinds) {
        progress.say("starting and filling: " + kind.title());
        MapContestant contestant = processes.maps(kind);
        prepare(contestant, warmUp.toMillis());
        contestants.add(contestant);
      }
      for (int round = 0; round < rounds; round++) {
        progress.say(
            "round %d of %d: %s".formatted(round + 1, rounds, kinds.getFirst().title() + " ..."));
        for (MapRequest.Kind operation : ALL) {
          for (int entries : sizes) {
            for (MapContestant contestant : contestants) {
              MapPoint point = measure(contestant, operation, entries, round, each.toMillis());
              points.add(point);
              results.addLine(point.toJson(benchmark));
            }
          }
        }
      }
    }
  }

  private void prepare(MapContestant contestant, long warmUpMillis)
      throws IOException, InterruptedException {
    for (int entries : sizes) {
      contestant.run(MapRequest.Kind.FILL, entries, 0);
      contestant.settle(entries);
      for (MapRequest.Kind operation : ALL) {
        warmUp(contestant, operation, entries, warmUpMillis);
        contestant.settle(entries);
      }
    }
  }

  /** Compilers count calls, not seconds, and a busy machine needs many seconds for them. */
  private static void warmUp(
      MapContestant contestant, MapRequest.Kind operation, int entries, long millis)
      throws IOException, InterruptedException {
    long operations = 0;
    for (int times = 0; times < WARM_UP_TIMES_MAX && operations < WARM_UP_OPERATIONS; times++) {
      operations += contestant.run(operation, entries, millis).operations();
    }
  }

  private static MapPoint measure(
      MapContestant contestant, MapRequest.Kind operation, int entries, int round, long millis)
      throws IOException, InterruptedException {
    long argument = operation == MapRequest.Kind.PUT_PACED ? PACED_MILLIS : millis;
    long startNanos = System.nanoTime();
    MapAnswer answer = contestant.run(operation, entries, argument);
    double perSecond = 0;
    if (operation.writes() && !contestant.others().isEmpty()) {
      // The next one is not to be measured while this one's writes still travel.
      long delivered = answer.operations() + contestant.settle(entries);
      perSecond = delivered * 1e9 / (System.nanoTime() - startNanos);
    }
    return new MapPoint(contestant.kind(), operation, entries, round, answer, perSecond);
  }

  /** Whether a kind of map was measured. */
  boolean has(MapKind kind) {
    return points.stream().anyMatch(point -> point.kind() == kind);
  }

  /** One number per round. */
  List<Double> of(
      MapKind kind, MapRequest.Kind operation, int entries, ToDoubleFunction<MapPoint> number) {
    return points.stream()
        .filter(point ->
            point.kind() == kind && point.operation() == operation && point.entries() == entries)
        .map(number::applyAsDouble)
        .toList();
  }
}

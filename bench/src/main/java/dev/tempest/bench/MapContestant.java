package dev.tempest.bench;

import dev.tempest.bench.collections.MapAnswer;
import dev.tempest.bench.collections.MapKind;
import dev.tempest.bench.collections.MapRequest;
import dev.tempest.bench.load.ChildProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Maps of one kind that are measured.
 *
 * @param user the process that uses them
 * @param others the processes that have them too
 */
record MapContestant(MapKind kind, ChildProcess user, List<ChildProcess> others) {

  /** Has the user do something, and times it there. */
  MapAnswer run(MapRequest.Kind request, int entries, long argument)
      throws IOException, InterruptedException {
    return ask(user, new MapRequest(request, entries, argument));
  }

  /**
   * Waits until the others have what the user has.
   *
   * @return how many entries were put to find it out
   */
  int settle(int entries) throws IOException, InterruptedException {
    if (others.isEmpty()) {
      return 0;
    }
    MapAnswer mark = run(MapRequest.Kind.MARK, entries, 0);
    for (ChildProcess other : others) {
      ask(other, new MapRequest(MapRequest.Kind.AWAIT, entries, mark.value()));
    }
    return Math.toIntExact(mark.operations());
  }

  private static MapAnswer ask(ChildProcess process, MapRequest request)
      throws IOException, InterruptedException {
    return MapAnswer.parse(process.ask(request.toLine(), Duration.ofMinutes(2)));
  }
}

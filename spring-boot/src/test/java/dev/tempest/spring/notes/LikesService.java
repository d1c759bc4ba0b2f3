package dev.tempest.spring.notes;

import dev.tempest.spring.TempestService;
import dev.tempest.state.State;
import java.util.concurrent.ConcurrentMap;

@TempestService("likes")
final class LikesService implements Likes {
  private final ConcurrentMap<String, Integer> counts;

  LikesService(State state) {
    counts = state.map("counts", String.class, Integer.class);
  }

  @Override
  public int like(String note) {
    return counts.merge(note, 1, Math::addExact);
  }
}

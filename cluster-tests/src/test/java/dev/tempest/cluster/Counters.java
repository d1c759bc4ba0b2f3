package dev.tempest.cluster;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.Map;

/** Sums, each under a key, that are 0 at first. */
public interface Counters {
  /** The sum. */
  @Read
  long read(String key);

  /** Adds to it, and returns the new one. */
  @Update
  long add(String key, long more);

  /** The sums of all keys. */
  final class Service implements Counters {
    private final Map<String, Long> sums;

    /** All are 0. */
    public Service(State state) {
      this.sums = state.map("sums", String.class, Long.class);
    }

    @Override
    public long read(String key) {
      return sums.getOrDefault(key, 0L);
    }

    @Override
    public long add(String key, long more) {
      return sums.merge(key, more, Long::sum);
    }
  }
}

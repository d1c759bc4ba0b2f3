package dev.tempest.cluster;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Registers, each under a key, that are empty at first. */
public interface Registers {
  /** What is in it; null if it is empty. */
  @Read
  @Nullable Long read(String key);

  /** Puts something in the place of what is in it. */
  @Update
  void write(String key, long value);

  /** The same if it holds what is expected; whether it did. */
  @Update
  boolean cas(String key, long expected, long value);

  /** The registers of all keys. */
  final class Service implements Registers {
    private final Map<String, Long> values;

    /** All are empty. */
    public Service(State state) {
      this.values = state.map("values", String.class, Long.class);
    }

    @Override
    public @Nullable Long read(String key) {
      return values.get(key);
    }

    @Override
    public void write(String key, long value) {
      values.put(key, value);
    }

    @Override
    public boolean cas(String key, long expected, long value) {
      return values.replace(key, expected, value);
    }
  }
}

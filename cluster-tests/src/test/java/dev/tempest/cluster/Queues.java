package dev.tempest.cluster;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Queues, each under a key, that are empty at first. */
public interface Queues {
  /** The oldest element; null if there is none. */
  @Read
  @Nullable Long peek(String key);

  /** Adds an element. */
  @Update
  void offer(String key, long element);

  /** Removes the oldest element, and returns it; null if there is none. */
  @Update
  @Nullable Long poll(String key);

  /** The queues of all keys. */
  final class Service implements Queues {
    private static final long[] NOTHING = {};

    private final Map<String, long[]> elements;

    /** All are empty. */
    public Service(State state) {
      this.elements = state.map("elements", String.class, long[].class);
    }

    @Override
    public @Nullable Long peek(String key) {
      long[] queue = elements.getOrDefault(key, NOTHING);
      return queue.length == 0 ? null : queue[0];
    }

    @Override
    public void offer(String key, long element) {
      long[] queue = elements.getOrDefault(key, NOTHING);
      long[] longer = Arrays.copyOf(queue, queue.length + 1);
      longer[queue.length] = element;
      elements.put(key, longer);
    }

    @Override
    public @Nullable Long poll(String key) {
      long[] queue = elements.getOrDefault(key, NOTHING);
      if (queue.length == 0) {
        return null;
      }
      elements.put(key, Arrays.copyOfRange(queue, 1, queue.length));
      return queue[0];
    }
  }
}

package dev.tempest.protocol.order.log;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.Map;

/** What the papers have their services do: counters, orders, and a scheduler that draws lots. */
interface Holdings {
  /** Adds so many, and returns how many there are now. */
  @Update
  long add(String item, long count);

  /** Puts so many in place of those that are there, and returns what it was given. */
  @Update
  long put(String item, long count);

  /** Takes the item out, and returns whether there were any. */
  @Update
  boolean cancel(String item);

  /** Takes some of one item for the other, and fails if there are not enough. */
  @Update
  long move(String from, String to, long count);

  /** Puts what chance gives: something else at each replica, and each time. */
  @Update
  long draw(String item);

  /** Puts a text. */
  @Update
  void note(String item, String text);

  @Read
  long count(String item);

  /** It, at one replica. */
  final class Service implements Holdings {
    private final Map<String, Long> counts;
    private final Map<String, String> notes;
    private long chance;

    /** How many updates ran here. */
    long runs;

    Service(State state, long replica) {
      counts = state.map("counts", String.class, Long.class);
      notes = state.map("notes", String.class, String.class);
      chance = 1_000 * replica;
    }

    @Override
    public long add(String item, long count) {
      runs++;
      return counts.merge(item, count, Long::sum);
    }

    @Override
    public long put(String item, long count) {
      runs++;
      counts.put(item, count);
      return count;
    }

    @Override
    public boolean cancel(String item) {
      runs++;
      return counts.remove(item) != null;
    }

    @Override
    public long move(String from, String to, long count) {
      runs++;
      counts.merge(to, count, Long::sum);
      if (counts.merge(from, -count, Long::sum) < 0) {
        throw new IllegalStateException("there are not enough of " + from);
      }
      return count;
    }

    @Override
    public long draw(String item) {
      runs++;
      chance++;
      counts.put(item, chance);
      return chance;
    }

    @Override
    public void note(String item, String text) {
      runs++;
      notes.put(item, text);
    }

    @Override
    public long count(String item) {
      return counts.getOrDefault(item, 0L);
    }
  }
}

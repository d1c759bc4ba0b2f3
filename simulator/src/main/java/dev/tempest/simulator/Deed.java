package dev.tempest.simulator;

import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a thread does with a map and a deque. It does the same with those of a cluster and
 * with plain ones, which tell what it should have given.
 *
 * @param key in the map, of what concerns that
 * @param tag is put in, by this deed alone
 */
record Deed(Kind kind, String key, long tag) {
  /** What it does. */
  enum Kind {
    GET,
    PUT,
    PUT_IF_ABSENT,
    /** Makes a value of the present one, which tells all that went into it. */
    MERGE,
    /** Makes a value of the present one, or removes that. */
    COMPUTE,
    REMOVE,
    ADD_FIRST,
    ADD_LAST,
    PEEK,
    POLL_FIRST,
    POLL_LAST,
    /** Puts what is polled into the map. */
    MOVE
  }

  /** Of what there is only one. */
  static final String DEQUE = "deque";

  /** Does it, and gives what the collection gave. */
  @Nullable Long with(Map<String, Long> map, Deque<Long> deque) {
    return switch (kind) {
      case GET -> map.get(key);
      case PUT -> map.put(key, tag);
      case PUT_IF_ABSENT -> map.putIfAbsent(key, tag);
      case MERGE -> map.merge(key, tag, Deed::mixed);
      case COMPUTE -> map.compute(key, (same, before) -> computed(before));
      case REMOVE -> map.remove(key);
      case ADD_FIRST -> {
        deque.addFirst(tag);
        yield null;
      }
      case ADD_LAST -> {
        deque.addLast(tag);
        yield null;
      }
      case PEEK -> deque.peekFirst();
      case POLL_FIRST -> deque.pollFirst();
      case POLL_LAST -> deque.pollLast();
      case MOVE -> {
        Long moved = deque.pollFirst();
        if (moved != null) {
          map.put(key, moved);
        }
        yield moved;
      }
    };
  }

  private static long mixed(long one, long other) {
    return Randomness.mix(one * 31 + other);
  }

  private @Nullable Long computed(@Nullable Long before) {
    if (before == null) {
      return tag;
    }
    return before % 3 == 0 ? null : (Long) mixed(before, tag);
  }

  /** Whether it changes nothing. */
  boolean onlyReads() {
    return kind == Kind.GET || kind == Kind.PEEK;
  }

  /** Whether its tag is in the deque from then on. */
  boolean adds() {
    return kind == Kind.ADD_FIRST || kind == Kind.ADD_LAST;
  }

  /** Whether what it gives was in the deque, and is not from then on. */
  boolean polls() {
    return kind == Kind.POLL_FIRST || kind == Kind.POLL_LAST || kind == Kind.MOVE;
  }

  /** The keys that it concerns, and {@link #DEQUE}. */
  Set<String> concerns() {
    Set<String> all = new TreeSet<>();
    boolean isOfDeque = adds() || polls() || kind == Kind.PEEK;
    if (isOfDeque) {
      all.add(DEQUE);
    }
    if (!isOfDeque || kind == Kind.MOVE) {
      all.add(key);
    }
    return all;
  }
}

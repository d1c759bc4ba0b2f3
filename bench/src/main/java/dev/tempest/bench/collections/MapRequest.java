package dev.tempest.bench.collections;

import java.io.Serializable;

/**
 * What the parent asks of a process that has maps.
 *
 * @param entries which of the maps: the one of so many entries
 * @param argument see {@link Kind}
 */
record MapRequest(Kind kind, int entries, long argument) implements Serializable {

  /** What to do. */
  enum Kind {
    /** Put all keys. */
    FILL("fill"),

    /**
     * Get random keys, one independent of the other, for as many milliseconds as the argument says.
     */
    GET("get, loop"),

    /** As {@link #GET}, but each key is known only from the value before. */
    GET_NEXT("get"),

    /** Put to random keys that are there, for as many milliseconds as the argument says. */
    PUT("put"),

    /** Compute the values of random keys, for as many milliseconds as the argument says. */
    COMPUTE("compute"),

    /** As {@link #PUT}, 10 every 10 ms, each timed by itself. */
    PUT_PACED("put, 1,000/s"),

    /** Put to some keys all over the map; answers what {@link #AWAIT} is to wait for. */
    MARK("mark"),

    /** Wait until the entries of those keys are as the argument says. */
    AWAIT("await"),

    /** How many bytes of heap the map takes per entry, keys and values aside; fills it. */
    BYTES("bytes");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }

    /** Whether other processes get to hear of it. */
    boolean writes() {
      return this != GET && this != GET_NEXT;
    }
  }
}

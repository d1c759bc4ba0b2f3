package dev.tempest.bench.collections;

import java.util.List;

/**
 * What the parent asks of a process that has maps.
 *
 * @param entries which of the maps: the one of so many entries
 * @param argument see {@link Kind}
 */
public record MapRequest(Kind kind, int entries, long argument) {

  /** What to do. */
  public enum Kind {
    /** Put all keys. */
    FILL,

    /**
     * Get random keys, one independent of the other, for as many milliseconds as the argument says.
     */
    GET,

    /** As {@link #GET}, but each key is known only from the value before. */
    GET_NEXT,

    /** Put to random keys that are there, for as many milliseconds as the argument says. */
    PUT,

    /** Compute the values of random keys, for as many milliseconds as the argument says. */
    COMPUTE,

    /** As {@link #PUT}, 10 every 10 ms, each timed by itself. */
    PUT_PACED,

    /** Put to some keys all over the map; answers what {@link #AWAIT} is to wait for. */
    MARK,

    /** Wait until the entries of those keys are as the argument says. */
    AWAIT,

    /** How many bytes of heap the map takes per entry, keys and values aside; fills it. */
    BYTES;

    /** Whether other processes get to hear of it. */
    public boolean writes() {
      return this != GET && this != GET_NEXT;
    }
  }

  /** As one line of text. */
  public String toLine() {
    return "%s %d %d".formatted(kind, entries, argument);
  }

  /** The request of a line made by {@link #toLine}. */
  static MapRequest parse(String line) {
    List<String> fields = List.of(line.split(" ", -1));
    return new MapRequest(
        Kind.valueOf(fields.get(0)),
        Integer.parseInt(fields.get(1)),
        Long.parseLong(fields.get(2)));
  }
}

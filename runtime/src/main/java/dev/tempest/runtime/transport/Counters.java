package dev.tempest.runtime.transport;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** What an endpoint did and refused, for diagnosis. Thread-safe. */
public final class Counters {
  /** What is counted. */
  public enum Kind {
    /** Datagrams that arrived. */
    DATAGRAMS_RECEIVED,
    /** Datagrams sent; one sent to a group counts once. */
    DATAGRAMS_SENT,
    /** Datagrams that the network refused to take, or did not take in time. */
    DATAGRAMS_NOT_SENT,
    /**
     * Frames not sent, for their receiver has not proved its address, and too much waits for it.
     */
    UNPROVEN,
    /** Datagrams and connections dropped unread: nothing is accepted from their addresses. */
    STRANGERS,
    /** Datagrams thrown away on purpose. */
    DATAGRAMS_DROPPED,
    /** Frames that arrived by stream. */
    STREAM_FRAMES_RECEIVED,
    /** Frames handed to a stream. */
    STREAM_FRAMES_SENT,
    /** Frames not sent: the stream was broken, or too much was waiting for it. */
    STREAM_FRAMES_NOT_SENT,
    /**
     * Connections refused because there were too many, or no room for what they sent, or it was too
     * much for one that is no member.
     */
    STREAMS_REFUSED,
    /** Connections cut because the peer did not read. */
    STREAMS_STALLED,
    /** Connections that were broken, silent for too long, or did not begin as they should. */
    STREAMS_BROKEN,
    /** Frames dropped because they do not decode. */
    MALFORMED,
    /** Frames dropped because they are in a version of the wire that is not spoken here. */
    OTHER_VERSION,
    /** Frames dropped because they are of another cluster. */
    OTHER_CLUSTER,
    /** Messages dropped because nobody here takes such ones. */
    UNEXPECTED,
    /** Reads not executed: too many newer ones were waiting. */
    READS_SHED,
    /** Updates not executed: too many were waiting, or for long, or the memory is all but full. */
    UPDATES_SHED,
    /** Messages too large even for a stream. */
    TOO_LARGE;

    private static final Set<Kind> TAKEN_OR_SENT =
        EnumSet.of(DATAGRAMS_RECEIVED, DATAGRAMS_SENT, STREAM_FRAMES_RECEIVED, STREAM_FRAMES_SENT);

    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Whether something was lost. */
    public boolean isDrop() {
      return !TAKEN_OR_SENT.contains(this);
    }

    /** The kind for people: {@code other-cluster}. */
    public String word() {
      return word;
    }
  }

  private final Map<Kind, LongAdder> counts = new EnumMap<>(Kind.class);

  Counters() {
    for (Kind kind : Kind.values()) {
      counts.put(kind, new LongAdder());
    }
  }

  /** Counts one. */
  public void count(Kind kind) {
    counterOf(kind).increment();
  }

  /** Counts so many. */
  public void count(Kind kind, int number) {
    counterOf(kind).add(number);
  }

  /** How many there were. */
  public long get(Kind kind) {
    return counterOf(kind).sum();
  }

  /** All counts that are not zero. */
  public Map<Kind, Long> snapshot() {
    Map<Kind, Long> all = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      if (get(kind) != 0) {
        all.put(kind, get(kind));
      }
    }
    return all;
  }

  /** All counts, by the words for people. */
  public Map<String, Long> byWord() {
    Map<String, Long> all = new LinkedHashMap<>();
    counts.forEach((kind, count) -> all.put(kind.word(), count.sum()));
    return all;
  }

  private LongAdder counterOf(Kind kind) {
    return Objects.requireNonNull(counts.get(kind));
  }

  @Override
  public String toString() {
    return snapshot().toString();
  }
}

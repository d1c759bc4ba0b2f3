package dev.tempest.simulator;

import dev.tempest.state.State;
import dev.tempest.state.Value;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Collections of which two releases know different things: the older one lacks a class and a
 * collection of the newer one, and may lack a component of a record. It keeps what it does not
 * know, and passes it on.
 */
final class Goods {
  /**
   * A release.
   *
   * @param isOlder whether it lacks what only the newer one has
   * @param noted its class of the name of {@link WithNote}
   * @param note makes one for a write with a tag
   */
  record Release<T>(boolean isOlder, Class<T> noted, LongFunction<T> note) {
    static final Release<WithNote> NEWER =
        new Release<>(false, WithNote.class, tag -> new WithNote(tag, label(tag)));

    /** With a class that has the same components. */
    static final Release<WithNote> OLDER =
        new Release<>(true, WithNote.class, tag -> new WithNote(tag, null));
  }

  /** What is stored as records of the class that a release has. */
  private record Notes<T>(Map<Long, T> kept, Map<String, T> shelved, LongFunction<T> note) {
    static <T> Notes<T> of(State state, Release<T> release) {
      return new Notes<>(
          state.map("notes", Long.class, release.noted()),
          state.map("shelved-notes", String.class, release.noted()),
          release.note());
    }

    void act(long tag, String shelf, boolean overwrites) {
      T note = note().apply(tag);
      kept.put(tag, note);
      if (overwrites) {
        shelved.put(shelf, note);
      }
    }
  }

  private static final List<String> SHELVES = List.of("top", "middle", "bottom");

  /** What is stored: both releases know the interface. */
  interface Good {
    /** Of the write that stored it. */
    long tag();
  }

  /** Known to both releases. */
  record Plain(long tag) implements Good {}

  /** Known to the newer one only. */
  record Labelled(long tag, String label) implements Good {}

  private final boolean isOlder;
  private final Notes<?> notes;

  /** By tag; nothing is ever removed. */
  private final Map<Long, Good> bought;

  /** On few shelves, where one takes the place of another. */
  private final Map<String, Good> shelved;

  private final Value<Good> latest;

  /** Null in the older release, which lacks it. */
  private final @Nullable NavigableMap<Long, Labelled> catalogue;

  Goods(State state, Release<?> release) {
    this.isOlder = release.isOlder();
    this.notes = Notes.of(state, release);
    Class<?>[] known = isOlder ? new Class<?>[] {Plain.class} : newer();
    this.bought = state.map("bought", Long.class, Good.class, known);
    this.shelved = state.map("shelved", String.class, Good.class, known);
    this.latest = state.value("latest", Good.class, known);
    this.catalogue = isOlder ? null : state.sortedMap("catalogue", Long.class, Labelled.class);
  }

  private static Class<?>[] newer() {
    return new Class<?>[] {Plain.class, Labelled.class};
  }

  /** What one write does with them. */
  void act(long tag, Randomness random) {
    Labelled labelled = new Labelled(tag, label(tag));
    boolean isLabelled = !isOlder && random.chance(60);
    Good good = isLabelled ? labelled : new Plain(tag);
    bought.put(tag, good);
    String shelf = random.pick(SHELVES);
    notes.act(tag, shelf, random.chance(50));
    switch (random.below(4)) {
      case 0 -> shelved.keySet().remove(shelf); // What is there may be of an unknown class.
      case 1 -> {
        shelved.keySet().remove(shelf);
        shelved.put(shelf, good);
      }
      case 2 -> latest.set(good);
      default -> {
        if (catalogue != null && isLabelled) {
          catalogue.put(tag, labelled);
        }
      }
    }
  }

  /**
   * Whether all that was bought is there as it was written, whoever has kept it meanwhile.
   *
   * @param contents of the collections, as the newer release reads them
   * @param tags of the writes that took effect
   */
  static boolean isWhole(Map<String, Object> contents, Set<Long> tags) {
    Map<?, ?> bought = map(contents, "bought");
    Map<?, ?> notes = map(contents, "notes");
    return bought.keySet().equals(tags)
        && notes.keySet().equals(tags)
        && tags.stream().allMatch(tag -> isAsWritten(tag, bought.get(tag), notes.get(tag)));
  }

  /** Whoever labels something writes a note, too: the older release can do neither. */
  private static boolean isAsWritten(long tag, @Nullable Object good, @Nullable Object noted) {
    return noted instanceof WithNote(long ofNote, String note)
        && ofNote == tag
        && (note == null || note.equals(label(tag)))
        && switch (good) {
          case Plain plain -> plain.tag() == tag;
          case Labelled(long ofLabel, String label) ->
              ofLabel == tag && label.equals(label(tag)) && label.equals(note);
          case null, default -> false;
        };
  }

  private static Map<?, ?> map(Map<String, Object> contents, String name) {
    return contents.get(name) instanceof Map<?, ?> map ? map : new TreeMap<>();
  }

  private static String label(long tag) {
    return "no. " + tag;
  }
}

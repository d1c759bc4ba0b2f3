package dev.tempest.state.versioned;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the declaration of a collection that others have filled: reads all that is in it as what
 * is declared before it is declared, where nobody waits for that. To declare it then takes time for
 * what has been written meanwhile.
 *
 * <p>Begin with {@link #declare}. Where that throws {@link Missing}, {@link #complete} it, and
 * begin again. Belongs to one thread.
 */
public final class Preparation {
  /** So often what was written meanwhile is read, too, as long as there is any. */
  private static final int ROUNDS_MAX = 4;

  private final Schema schema;

  /** What others have filled, and what it is to be; null if nothing is to be prepared. */
  private @Nullable StateObject<?, ?> earlier;

  private @Nullable StateObject<Object, Object> prepared;

  /** A root of the one, and what the other makes of it; null before. */
  private @Nullable Object root;

  private @Nullable Object adopted;

  Preparation(Schema schema) {
    this.schema = schema;
  }

  /** Nothing was declared: there is something to prepare. */
  public static final class Missing extends RuntimeException {
    private static final long serialVersionUID = 1;

    Missing() {
      super("nothing was declared: there is something to prepare", null, false, false);
    }
  }

  /**
   * Declares with what is prepared; nothing else declares meanwhile.
   *
   * @param declaring declares, and {@linkplain VersionedState#upgrade upgrades} all versions
   * @throws Missing if something is to be prepared first
   */
  public <T> T declare(Supplier<T> declaring) {
    schema.preparation(this);
    try {
      return declaring.get();
    } finally {
      schema.preparation(null);
    }
  }

  /**
   * Prepares what is missing. Others may write and declare meanwhile.
   *
   * @param shown the newest version
   */
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  public void complete(Supplier<Version> shown) {
    StateObject<Object, Object> object = prepared;
    for (int round = 0; object != null && round < ROUNDS_MAX; round++) {
      Object newest = shown.get().root(object);
      if (newest == root) {
        return;
      }
      adopted = adopted(object, newest);
      root = newest;
    }
  }

  /**
   * Requires that it is prepared.
   *
   * @param filled an object, whose root others have filled
   * @param declared makes the one that is to be in its place
   */
  @SuppressWarnings("ReferenceEquality") // Each declaration makes another object.
  void require(StateObject<?, ?> filled, Supplier<StateObject<?, ?>> declared) {
    if (filled != earlier) {
      earlier = filled;
      prepared = Schema.cast(declared.get());
      root = null;
      adopted = null;
      throw new Missing();
    }
  }

  /** {@link StateObject#adopt}, from what is prepared as far as it goes. Thread-safe. */
  Object adopted(StateObject<Object, Object> object, Object from) {
    Object itsRoot = root;
    Object itsAdopted = adopted;
    return itsRoot == null || itsAdopted == null || prepared == null || !object.isAlike(prepared)
        ? object.adopt(from)
        : object.adopt(from, itsRoot, itsAdopted);
  }
}

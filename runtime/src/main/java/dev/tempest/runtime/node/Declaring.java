package dev.tempest.runtime.node;

import dev.tempest.state.versioned.Preparation;
import dev.tempest.state.versioned.VersionedState;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Declares collections of a node while its loop and its writers wait; but what others have filled
 * it reads before that, which takes long.
 *
 * <p>Thread-safe.
 */
final class Declaring {
  private final VersionedState state;
  private final PublishedVersion published;
  private final Runnable adopt;

  /**
   * Of one state.
   *
   * @param adopt brings all versions to what is declared now
   */
  Declaring(VersionedState state, PublishedVersion published, Runnable adopt) {
    this.state = state;
    this.published = published;
    this.adopt = adopt;
  }

  /**
   * Declares something.
   *
   * @param alone runs what it is given while nobody else uses the state
   */
  <T> T declare(Function<? super VersionedState, T> declaration, Function<Supplier<T>, T> alone) {
    Preparation preparation = state.preparation();
    while (true) {
      try {
        return alone.apply(() -> preparation.declare(() -> declared(declaration)));
      } catch (Preparation.Missing filledByOthers) {
        preparation.complete(published::version);
      }
    }
  }

  private <T> T declared(Function<? super VersionedState, T> declaration) {
    int generation = state.generation();
    T declared = declaration.apply(state);
    if (state.generation() != generation) {
      adopt.run();
    }
    return declared;
  }
}

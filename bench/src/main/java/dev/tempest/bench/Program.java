package dev.tempest.bench;

import java.io.Serializable;

/**
 * What a child process is: its parent sends it there, where it starts, and answers what the parent
 * asks from then on.
 *
 * @param <Q> what is asked, serializable
 * @param <A> what is answered, serializable
 */
@FunctionalInterface
interface Program<Q, A> extends Serializable {
  /** Starts, in the child process, which is ready once this returns. */
  Answers<Q, A> start() throws Exception;

  /** What a child does with what its parent asks. */
  @FunctionalInterface
  interface Answers<Q, A> {
    /** Does it, and answers. */
    A answer(Q question) throws Exception;
  }
}

package dev.tempest.simulator;

import org.jspecify.annotations.Nullable;

/**
 * Something that must not be.
 *
 * @param kind which promise is broken
 * @param sentence what was seen, for people
 */
public record Violation(Kind kind, String sentence) {
  /** The promises. */
  public enum Kind {
    /** No progress within bounded time after everything was healed, or a request never ended. */
    STUCK,
    /** Replicas that executed the same updates differ in contents or in iteration order. */
    DIVERGED,
    /** An update was executed twice, or its effect is missing although it counts as executed. */
    NOT_ONCE,
    /** The state is not what executing the updates one by one in their order gives. */
    OUT_OF_ORDER,
    /** An update is gone although a replica that had executed it did not lose its memory. */
    LOST,
    /** What was removed everywhere is there again, and nobody has put it in. */
    CAME_BACK,
    /** A retry was answered with something else than the first time. */
    ANSWER_CHANGED,
    /** A request was given up before its deadline, or answered in a way it must not be. */
    WRONG_OUTCOME,
    /** A read of a chain missed what the chain had seen. */
    UNSEEN,
    /** A replica keeps more that is unsettled than it may. */
    MEMORY,
    /** A replica that keeps up with a writer lacks more of its writes than it may. */
    TOO_FAR_BEHIND,
    /** A replica goes by a time far ahead of the others', who told it theirs as it began. */
    FAR_AHEAD,
    /** A replica gossips more than it may in a round, or more the longer history is. */
    GOSSIP,
    /** A machine said that its invariants do not hold. */
    INVARIANT,
    /** A machine threw. */
    THREW,
    /** A damaged frame was taken for a good one, or refused with the wrong exception. */
    DAMAGE_UNNOTICED
  }

  /** Ends the run in which it was found. */
  static final class Found extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // Never serialized: it ends within one run.
    private final transient Violation violation;

    Found(Violation violation) {
      super(violation.sentence());
      this.violation = violation;
    }

    Found(Kind kind, String sentence, @Nullable Throwable cause) {
      super(sentence, cause);
      this.violation = new Violation(kind, sentence);
    }

    Violation violation() {
      return violation;
    }
  }
}

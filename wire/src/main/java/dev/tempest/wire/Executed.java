package dev.tempest.wire;

import dev.tempest.values.encoding.Bytes;

/**
 * What the execution of a call at one replica wrote and answered: the others apply it and run
 * nothing, and whoever is asked again answers the same.
 *
 * @param execution which of the executions of the request it was, if there were several: 64 random
 *     bits of the incarnation that executed it
 * @param writes as the state of the service encodes them, at most {@link #WRITES_MAX_BYTES}
 * @param answer how it ended: it returned or threw
 */
public record Executed(long execution, Bytes writes, Answer answer) implements Body {
  /** The most that one execution may write. */
  public static final int WRITES_MAX_BYTES = 16 << 20;

  /** Refuses more than may be written, and an answer to what was not executed. */
  public Executed {
    if (writes.size() > WRITES_MAX_BYTES) {
      throw new IllegalArgumentException(
          "an execution writes at most " + WRITES_MAX_BYTES + " bytes, not " + writes.size());
    }
    if (answer instanceof Answer.Refused) {
      throw new IllegalArgumentException("what was refused was not executed: " + answer);
    }
  }

  /** The same with what is left of its writes: two replicas may leave out different things. */
  public Executed withPart(Bytes left) {
    return new Executed(execution + left.stableHash(), left, answer);
  }

  @Override
  public long number() {
    return execution;
  }

  @Override
  public int sizeBytes() {
    return writes.size() + answer.sizeBytes();
  }
}

package dev.tempest.protocol.order;

import dev.tempest.wire.Answer;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the front-ends of a process know of the order of the services that they ask: what its
 * updates carry, which replicas are to answer, and what a refusal means.
 *
 * <p>Sends nothing and keeps no time: the front-end machine asks it before each sending and after
 * each reply. Not thread-safe.
 */
public interface Routing {
  /**
   * An update has got its name, and will be sent.
   *
   * @param seen what its application had seen: the update counts after that; null if it does not
   *     say
   * @param deadlineNanos when its front-end gives up
   */
  Course begin(long service, RequestId id, @Nullable Seen seen, long deadlineNanos, long nowNanos);

  /** A replica has executed something, and said this with its answer. */
  void executed(long service, OrderPart part, long nowNanos);

  /** One update on its way, until it ends. */
  interface Course {
    /**
     * Whom the next sending asks to answer.
     *
     * @param acks how many replicas have to have executed the update
     * @param attempt the number of sendings before
     * @param replicas all there are now, ascending; maybe others than before, or none
     * @param silent those that would not answer
     */
    Asked ask(int acks, int attempt, List<Long> replicas, Collection<Long> silent);

    /**
     * The replicas are others now.
     *
     * @param replicas all there are, ascending
     * @param guesses ids of before that have stood for nobody but some of these
     */
    void changed(List<Long> replicas, List<Long> guesses);

    /** What the next sending carries. */
    OrderPart part();

    /**
     * What is to be done about an update that a replica did not execute, for a reason that the
     * order knows.
     *
     * @param attempt the number of sendings until now
     */
    Next refused(Reply reply, int attempt, long nowNanos);

    /**
     * The update as its application has seen it, once it was executed.
     *
     * @param answered what the replica said with its answer
     */
    Seen seen(OrderPart answered);
  }

  /**
   * Who is to answer.
   *
   * @param attempt the number by which replicas know that they are asked
   * @param replicas who is
   */
  record Asked(int attempt, List<Long> replicas) {}

  /** What is to be done about an update that was refused. */
  sealed interface Next {
    /** Others may answer yet. */
    Next WAIT = new Wait();

    /** It is sent again at once. */
    Next SEND = new Send();

    /** As the name says. */
    record Wait() implements Next {}

    /** As the name says. */
    record Send() implements Next {}

    /** It ends so: no replica has executed it, and none will. */
    record End(Answer answer) implements Next {}
  }
}

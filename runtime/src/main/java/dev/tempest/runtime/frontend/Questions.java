package dev.tempest.runtime.frontend;

import dev.tempest.wire.Message;
import dev.tempest.wire.Versions;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The questions of tools to single servers: asked again until answered or their deadline passes.
 *
 * <p>Not thread-safe: its owner calls it from one thread at a time.
 */
final class Questions {
  private static final long ASK_AGAIN_NANOS = 250_000_000;

  /** What to do about it. */
  sealed interface Effect {
    record Send(String to, int attempt, Message message) implements Effect {}

    record Complete(long ticket, Ending ending) implements Effect {}
  }

  /**
   * A question.
   *
   * @param client the front-end that asks
   * @param to the server, as its front-end calls it
   * @param isAnswer tells its answer from other messages
   */
  record Question(
      long ticket,
      long client,
      String to,
      Message message,
      Predicate<Message> isAnswer,
      long deadlineNanos) {}

  private static final class Asked {
    final Question question;
    long againNanos;
    int attempt;

    Asked(Question question, long againNanos) {
      this.question = question;
      this.againNanos = againNanos;
    }
  }

  private final Map<Long, Asked> open = new LinkedHashMap<>();

  List<Effect> ask(long nowNanos, Question question) {
    open.put(question.ticket(), new Asked(question, nowNanos + ASK_AGAIN_NANOS));
    return List.of(new Effect.Send(question.to(), 0, question.message()));
  }

  List<Effect> received(Message message) {
    List<Effect> effects = new ArrayList<>();
    for (Iterator<Asked> each = open.values().iterator(); each.hasNext(); ) {
      Question question = each.next().question;
      if (question.isAnswer().test(message)) {
        each.remove();
        effects.add(new Effect.Complete(question.ticket(), new Ending.OfQuestion(message)));
      }
    }
    return effects;
  }

  /** Ends what these servers were asked, who say that they speak only that. */
  List<Effect> notUnderstood(Map<String, Versions> servers) {
    List<Effect> effects = new ArrayList<>();
    for (Iterator<Asked> each = open.values().iterator(); each.hasNext(); ) {
      Question question = each.next().question;
      Versions spoken = servers.get(question.to());
      if (spoken != null) {
        each.remove();
        effects.add(new Effect.Complete(question.ticket(), new Ending.OtherVersions(spoken)));
      }
    }
    return effects;
  }

  List<Effect> tick(long nowNanos) {
    List<Effect> effects = new ArrayList<>();
    for (Iterator<Asked> each = open.values().iterator(); each.hasNext(); ) {
      Asked asked = each.next();
      Question question = asked.question;
      if (nowNanos >= question.deadlineNanos()) {
        each.remove();
        effects.add(new Effect.Complete(question.ticket(), new Ending.Silence()));
      } else if (nowNanos >= asked.againNanos) {
        asked.againNanos = nowNanos + ASK_AGAIN_NANOS;
        effects.add(new Effect.Send(question.to(), ++asked.attempt, question.message()));
      }
    }
    return effects;
  }

  /** Drops what a front-end asked that closes. */
  List<Effect> close(long client) {
    List<Effect> effects = new ArrayList<>();
    for (Iterator<Asked> each = open.values().iterator(); each.hasNext(); ) {
      Question question = each.next().question;
      if (question.client() == client) {
        each.remove();
        effects.add(new Effect.Complete(question.ticket(), new Ending.Closed()));
      }
    }
    return effects;
  }

  /** When {@link #tick} has something to do; {@link Long#MAX_VALUE} if nothing is open. */
  long nextTickNanos() {
    long next = Long.MAX_VALUE;
    for (Asked asked : open.values()) {
      next = Math.min(next, Math.min(asked.againNanos, asked.question.deadlineNanos()));
    }
    return next;
  }
}

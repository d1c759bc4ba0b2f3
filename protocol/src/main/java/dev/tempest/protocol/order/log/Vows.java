package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.log.Agreement.Effect;
import dev.tempest.wire.LogMessage;
import java.util.List;
import java.util.ListIterator;
import java.util.function.Consumer;

/**
 * How what binds a replica is said: once it is stored, with all before it, so that the replica
 * keeps it in its next life; or at once in a group that stores nothing.
 */
final class Vows {
  private Vows() {}

  /** Says something, and what binds this replica once that is stored. */
  static void send(long to, LogMessage message, List<Effect> effects) {
    effects.add(
        message instanceof LogMessage.Vow vow
            ? new Effect.Vow(List.of(), to, vow)
            : new Effect.Send(to, message));
  }

  /**
   * Answers the leader that a replica follows. It should not miss that one because its disk is
   * slow: so it hears at once that the answer is about to be stored, unless it has just sent what
   * comes next, and will ask again.
   */
  static void answer(
      Group group, Acceptor acceptor, long to, LogMessage.OfLeader said, List<Effect> effects) {
    boolean isNext =
        said instanceof LogMessage.Accept accept
            && !accept.entries().isEmpty()
            && accept.from() == acceptor.log().length();
    LogMessage answer = acceptor.answer(said, group);
    if (answer == null) {
      return;
    }
    send(to, answer, effects);
    if (group.stores() && !isNext && answer instanceof LogMessage.Vow vow) {
      effects.add(new Effect.Send(to, new LogMessage.Stores(vow.ballot())));
    }
  }

  /**
   * Binds what is about to be said to what is to be stored by now.
   *
   * @param own is handed what the replica says to itself, where nothing is stored
   */
  static void bind(
      Group group, Acceptor acceptor, List<Effect> effects, Consumer<LogMessage.Vow> own) {
    ListIterator<Effect> each = effects.listIterator();
    while (each.hasNext()) {
      if (each.next() instanceof Effect.Vow(var nothing, long to, LogMessage.Vow vow)) {
        if (group.stores()) {
          each.set(new Effect.Vow(acceptor.takeUnstored(), to, vow));
        } else if (to != group.self()) {
          each.set(new Effect.Send(to, vow));
        } else {
          each.remove();
          own.accept(vow);
        }
      }
    }
  }
}

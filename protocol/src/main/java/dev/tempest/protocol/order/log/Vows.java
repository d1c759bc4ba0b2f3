package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.log.Consensus.Effect;
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

  /** A leader that asks for a sign of life should not miss a replica because its disk is slow. */
  static void sayAlive(
      Group group, long to, LogMessage.OfLeader said, LogMessage answer, List<Effect> effects) {
    boolean isMore = said instanceof LogMessage.Accept accept && !accept.entries().isEmpty();
    if (group.stores() && !isMore && answer instanceof LogMessage.Accepted accepted) {
      effects.add(new Effect.Send(to, new LogMessage.Stores(accepted.ballot())));
    }
  }

  /**
   * Binds what is about to be said to what is to be stored by now.
   *
   * @param own is handed what the replica says to itself, where nothing is stored
   */
  static void bind(
      Group group, Acceptor acceptor, List<Effect> effects, Consumer<LogMessage.Accepted> own) {
    ListIterator<Effect> each = effects.listIterator();
    while (each.hasNext()) {
      if (each.next() instanceof Effect.Vow(var nothing, long to, LogMessage.Vow vow)) {
        if (group.stores()) {
          each.set(new Effect.Vow(acceptor.takeUnstored(), to, vow));
        } else if (to != group.self()) {
          each.set(new Effect.Send(to, vow));
        } else {
          each.remove();
          own.accept((LogMessage.Accepted) vow);
        }
      }
    }
  }
}

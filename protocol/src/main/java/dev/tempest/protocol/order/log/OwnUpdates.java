package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.View;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.RequestId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Updates that this replica executes while another one leads, where a service asks for that
 * (Bartoli, section 4): on what it knows, for the leader to put into the log if what it read is as
 * it was. Of each update one replica does so, the first in the rendezvous order of its request.
 *
 * <p>One that is refused again and again is for the leader, which executes it on what is right
 * whatever others write meanwhile: so each update ends. Who asks again is for the leader, too,
 * since the first may be gone. Not thread-safe.
 */
final class OwnUpdates {
  /** How often it is executed here. */
  private static final int TRIES_MAX = 3;

  private final boolean wanted;
  private final View view;
  private final Executor executor;
  private final OwnActions actions;

  /** How often those were executed here that were refused. */
  private final Map<RequestId, Integer> tries = new LinkedHashMap<>();

  /**
   * @param wanted whether the service asks for that
   */
  OwnUpdates(boolean wanted, View view, Executor executor, OwnActions actions) {
    this.wanted = wanted;
    this.view = view;
    this.executor = executor;
    this.actions = actions;
  }

  /** Whether the service asks for that. */
  boolean areWanted() {
    return wanted;
  }

  /** Whether an update is for another replica, as far as is known here. */
  boolean isForAnother(Update update) {
    return wanted && update.attempt() == 0 && !isFirst(update.id());
  }

  /** Whether it is for this replica. */
  boolean isForThis(RequestId id) {
    return wanted && isFirst(id);
  }

  private boolean isFirst(RequestId id) {
    return Rendezvous.rank(id, view.self(), view.all()) == 0;
  }

  /**
   * Executes an update, if that is for this replica.
   *
   * @return false if the leader has to
   */
  boolean execute(Update update, long nowMillis) {
    RequestId id = update.id();
    if (!wanted || !isFirst(id) || actions.isUndecided(id)) {
      return true;
    }
    long stamp = Stamp.of(update.part());
    int before = tries.getOrDefault(id, 0);
    Apart done =
        before < TRIES_MAX && !actions.isFull() && !executor.isTooLateFor(stamp)
            ? executor.executeApart(update, actions.stand().version(), nowMillis)
            : null;
    if (done == null) {
      tries.remove(id);
      return false;
    }
    tries.put(id, before + 1);
    actions.take(done, id);
    return true;
  }

  boolean hasRefused() {
    return actions.hasRefused();
  }

  /** One that does not count, and may have to be executed again. */
  @Nullable RequestId takeRefused() {
    return actions.takeRefused();
  }

  /** It is committed, or not asked for any more. */
  void forget(RequestId id) {
    if (!tries.isEmpty()) {
      tries.remove(id);
    }
  }
}

package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Effect;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who answers the clients of an update: whoever knows first that it is committed. That is a
 * follower where it and its leader are a majority: the way back to the leader is saved. The leader
 * asks one follower to, and answers what that one cannot, or has not when another one was faster.
 * It answers itself who had to ask again lately: that one may not hear the follower.
 *
 * <p>Not thread-safe.
 */
final class Telling {
  /** Nobody was. */
  static final LogMessage.Told NONE =
      new LogMessage.Told(new LogMessage.Accepted(Ballot.NONE, 0), 0);

  /** Of no replica. */
  private static final long NOBODY = 0;

  private final Group group;
  private final LogRequests requests;

  /** The one that was fastest last time. */
  private long teller = NOBODY;

  Telling(Group group, LogRequests requests) {
    this.group = group;
    this.requests = requests;
  }

  /** What is said to a follower, who may have to answer clients then. */
  LogMessage ask(long to, LogMessage message) {
    boolean tells = to == teller && group.followersCommit();
    return tells
            && message instanceof LogMessage.Accept accept
            && !accept.entries().isEmpty()
            && !areChosen(accept)
            && requests.areHeard(accept.entries())
        ? new LogMessage.Tell(accept)
        : message;
  }

  /** Whether those who voted for them have told their clients. */
  private boolean areChosen(LogMessage.Accept accept) {
    return group.isFast() && accept.committed() >= accept.from() + accept.entries().size();
  }

  /**
   * What is to be said once the clients of all that is committed now are answered here; null if
   * they are not to be.
   *
   * @param done what the log wants done now that it has taken what it was told: one answer, and
   *     what is committed
   */
  LogMessage.@Nullable Told told(List<Agreement.Effect> done) {
    LogMessage.Accepted accepted = null;
    List<RequestId> ids = new ArrayList<>();
    long first = Long.MAX_VALUE;
    long end = 0;
    for (Agreement.Effect effect : done) {
      switch (effect) {
        case Agreement.Effect.Send(long to, LogMessage.Accepted answer) -> accepted = answer;
        case Agreement.Effect.Committed(long slot, SlotEntry entry) -> {
          first = Math.min(first, slot);
          end = slot + 1;
          if (entry.id() != null) {
            ids.add(entry.id());
          }
        }
        case Agreement.Effect other -> {}
      }
    }
    if (accepted == null || accepted.length() != end || !requests.tells(ids)) {
      return null;
    }
    return new LogMessage.Told(accepted, first);
  }

  /** All but the answer to the leader, which has to wait until clients are answered. */
  static List<Agreement.Effect> withoutAnswer(List<Agreement.Effect> done) {
    return done.stream().filter(each -> !(each instanceof Agreement.Effect.Send)).toList();
  }

  /**
   * Answers what was committed.
   *
   * @param from who said what it was committed by
   * @param told which it has answered itself
   */
  void answer(long from, LogMessage.Told told, List<Agreement.Effect> done, List<Effect> effects) {
    for (Agreement.Effect effect : done) {
      if (effect instanceof Agreement.Effect.Committed(long slot, SlotEntry entry)) {
        teller = from;
        RequestId id = entry.id();
        if (id != null && told.covers(slot)) {
          requests.told(id, effects);
        } else if (id != null) {
          requests.answer(id, effects);
        }
      }
    }
  }
}

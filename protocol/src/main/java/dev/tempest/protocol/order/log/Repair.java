package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.View;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.LogMessage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a replica does whose state is not that to which the log leads: it tells people, holds back
 * from leading, and takes the state of the leader, again and again if it has to. It accepts entries
 * meanwhile, like any other: the group needs it for that.
 */
final class Repair {
  /** From one to the next: a service that goes on like that has no time for more. */
  private static final long PAUSE_NANOS = 1_000_000_000;

  private final View view;
  private final Agreement log;
  private final Executor executor;
  private final StateTaker taker;
  private final LogStates states;
  private final Membership membership;
  private @Nullable Deviation told;
  private long pausesUntilNanos;
  private long found;

  /** Whether it was a member that had the state. */
  private boolean wasRight;

  Repair(
      View view,
      Agreement log,
      Executor executor,
      StateTaker taker,
      LogStates states,
      Membership membership,
      long nowNanos) {
    this.view = view;
    this.log = log;
    this.executor = executor;
    this.taker = taker;
    this.states = states;
    this.membership = membership;
    this.pausesUntilNanos = nowNanos;
  }

  /** How often an update came to something else here than elsewhere. */
  long found() {
    return found;
  }

  /** When it goes on; {@link Long#MAX_VALUE} if there is nothing to be done. */
  long nextTickNanos(long nowNanos) {
    return executor.deviation() != null && nowNanos < pausesUntilNanos
        ? pausesUntilNanos
        : Long.MAX_VALUE;
  }

  /** Does what can be done by now; what to ask the leader for, null for nothing. */
  LogMessage.@Nullable StateWish look(long nowNanos, List<Effect> effects) {
    Deviation deviation = executor.deviation();
    wasRight |= deviation == null && executor.state().point().members().contains(view.self());
    if (deviation != null && deviation.isExecuted() && log.serves() && log.holdsBack()) {
      executor.insist();
      deviation = null;
    }
    log.holdBack(deviation != null, nowNanos);
    tell(deviation, effects);
    if (!wasRight && taker.why() != null) {
      membership.leave(
          List.of(view.self())); // It became a member in vain, and ends once it is none.
    }
    LogState taken = taker.taken();
    boolean hasLeader = view.hasOther(log.ballot().replica());
    if (deviation == null && log.isWhole()) {
      taker.forget();
      return null;
    }
    if (deviation == null || nowNanos < pausesUntilNanos || !hasLeader) {
      taker.pause(); // The next leader gives what the one before has not.
      return null;
    }
    if (taken != null && taken.point().slot() <= log.committed()) {
      taker.forget();
      states.repaired(log, taken);
      executor.repair(taken, log);
      pausesUntilNanos = nowNanos + PAUSE_NANOS;
      return look(nowNanos, effects);
    }
    Version own = executor.state().applied().version();
    return taker.wantsOneFrom(deviation.from(), log.ballot(), own, nowNanos);
  }

  private void tell(@Nullable Deviation deviation, List<Effect> effects) {
    if (Objects.equals(deviation, told)) {
      return;
    }
    if (deviation == null) {
      effects.add(new Effect.Resumed());
    } else if (!deviation.isExecuted()) {
      effects.add(new Effect.Suspended(deviation.what()));
    } else {
      Address leader = view.address(log.ballot().replica());
      if (leader == null) {
        return; // Until it is known who that is.
      }
      found++;
      effects.add(new Effect.OutcomeDiffers(deviation.what(), leader));
    }
    told = deviation;
  }
}

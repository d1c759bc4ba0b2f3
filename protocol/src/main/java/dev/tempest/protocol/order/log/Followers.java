package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.log.Agreement.Effect;
import dev.tempest.wire.LogMessage;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All others to whom a leader speaks: the members, and those that are about to become some. */
final class Followers {
  private final long self;
  private final Map<Long, Follower> all = new LinkedHashMap<>();

  Followers(long self) {
    this.self = self;
  }

  @Nullable Follower get(long replica) {
    return all.get(replica);
  }

  Collection<Follower> all() {
    return all.values();
  }

  void add(Collection<Long> replicas, long nowNanos) {
    for (long each : replicas) {
      if (each != self && !all.containsKey(each)) {
        all.put(each, new Follower(each, nowNanos));
      }
    }
  }

  void removeIf(Predicate<Long> of) {
    all.keySet().removeIf(of);
  }

  /** The leader itself, and those of whom it holds. */
  Set<Long> with(Predicate<Follower> of) {
    Set<Long> with = new LinkedHashSet<>();
    with.add(self);
    all.values().stream().filter(of).forEach(each -> with.add(each.replica));
    return with;
  }

  /**
   * What lies before a slot is there no more: who has not come as far takes the state there, and
   * begins again; and so does who takes the one before, which is given no more.
   */
  void drop(long slot) {
    for (Follower each : all.values()) {
      if (each.promise != null && (each.has < slot || each.lacksState())) {
        each.startOver();
      }
    }
  }

  static void send(Follower to, LogMessage message, List<Effect> effects) {
    Vows.send(to.replica, message, effects);
  }
}

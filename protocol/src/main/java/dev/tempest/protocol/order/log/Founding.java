package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Mix;
import dev.tempest.wire.LogMessage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a group begins: once, by all replicas that may ever be its members, none of which knows a
 * group. So nobody founds a second one while anybody has anything of a first one: the processes at
 * all places say so, and what was at those places before has ended.
 *
 * <p>The replica with the lowest id asks all. Who is asked forgets who asked before, and is a
 * member from when it hears that all have agreed to what it agreed to last. Who did not hear that
 * is told by the leader.
 */
final class Founding {
  /** All are here for so many times its wait before anything is wrong: a leader may be elected. */
  private static final int LONG_WAITS = 100;

  private final long self;
  private final int size;
  private final boolean stores;
  private final boolean hasLostLog;
  private final long againNanos;
  private long round;
  private long untilNanos;

  /** When somebody lacked last; -1 if nobody has looked. */
  private long lackedNanos = -1;

  /** Whom this replica has asked; nobody if it asks nobody. */
  private List<Long> asked = List.of();

  private final Set<Long> agreed = new LinkedHashSet<>();

  /** To what it has agreed last. */
  private LogMessage.@Nullable Found joins;

  private long joinsOf;

  /**
   * Of so many; who does not answer is asked again after a while.
   *
   * @param stores whether members keep what they had when they end
   * @param hasLostLog whether this replica has belonged to a group: it founds no other one, in
   *     which nothing of that would be
   * @param seed 64 random bits of this life: it begins at a round of its own, since answers to an
   *     earlier one may come late
   */
  Founding(long self, int size, boolean stores, boolean hasLostLog, long againNanos, long seed) {
    this.self = self;
    this.size = size;
    this.stores = stores;
    this.hasLostLog = hasLostLog;
    this.againNanos = againNanos;
    this.round = Mix.mix(seed) >>> 20;
  }

  /** Of a replica with such settings; as above. */
  static Founding of(LogSettings settings, boolean hasLostLog, long seed) {
    return new Founding(
        settings.group().self(),
        settings.size(),
        settings.order().stores(),
        hasLostLog,
        settings.group().electionNanos(),
        seed);
  }

  /** When {@link #tick} is due. */
  long nextTickNanos() {
    return hasLostLog ? Long.MAX_VALUE : untilNanos;
  }

  /**
   * Why there is no group, of which so many are here that are to found it; null if there may be one
   * soon.
   */
  @Nullable String why(int here, long nowNanos) {
    if (here < size || lackedNanos < 0) {
      lackedNanos = nowNanos;
    }
    if (here < size) {
      return "%d of the %d members that are to found its group are here, and it takes all of them"
          .formatted(here, size);
    }
    if (nowNanos - lackedNanos < LONG_WAITS * againNanos) {
      return null;
    }
    if (!hasLostLog && !stores) {
      return "another member belongs to a group already, and no leader of it is heard; or it has"
          + " another consistency, then write the same at all. With log: memory, members"
          + " forget what they had when they end. If most of them have ended, what the group"
          + " had is lost: then end all, and start them again. Else those that have not"
          + " ended have to reach each other and this one";
    }
    return hasLostLog
        ? "its log may lack what it had promised, and no leader of its group is heard. If most of"
            + " the members have lost theirs, the group cannot go on: end all, move away what is"
            + " in their folders, and start them again without it"
        : "another member belongs to a group already, and no leader of it is heard. Start those of"
            + " its members that have ended, with the folders that they had. Only if most of them"
            + " had none, or have lost theirs, what the group had is lost: then end all, move away"
            + " what is in their folders, and start them again without it";
  }

  /** Asks all of these, if they are all; the members once they are, else null. */
  @Nullable List<Long> tick(List<Long> present, long nowNanos, Outbox outbox) {
    if (nowNanos < untilNanos || hasLostLog) {
      return null;
    }
    untilNanos = nowNanos + againNanos;
    asked = List.of();
    if (present.size() != size || present.stream().anyMatch(each -> each < self)) {
      return null;
    }
    round++;
    asked = List.copyOf(present);
    agreed.clear();
    agreed.add(self);
    joins = null; // It has agreed to its own question now.
    sendOthers(new LogMessage.Found(round, asked), outbox);
    return foundedIfAgreed(outbox);
  }

  /** Another one has said something; the members once there is a group, else null. */
  @Nullable List<Long> received(long from, LogMessage.OfFoundation said, Outbox outbox) {
    return switch (said) {
      case LogMessage.Found found -> {
        if (found.members().size() == size
            && !hasLostLog
            && found.members().contains(self)
            && found.members().contains(from)) {
          joins = found;
          joinsOf = from;
          asked = List.of();
          outbox.send(from, new LogMessage.Joins(found.round()));
        }
        yield null;
      }
      case LogMessage.Joins(long of) -> {
        if (of == round && asked.contains(from)) {
          agreed.add(from);
        }
        yield foundedIfAgreed(outbox);
      }
      case LogMessage.Founded(long of, List<Long> members) -> {
        boolean isLast =
            joins != null
                && joinsOf == from
                && joins.round() == of
                && joins.members().equals(members);
        yield isLast ? members : null;
      }
    };
  }

  private @Nullable List<Long> foundedIfAgreed(Outbox outbox) {
    if (asked.isEmpty() || !agreed.containsAll(asked)) {
      return null;
    }
    sendOthers(new LogMessage.Founded(round, asked), outbox);
    return new ArrayList<>(asked);
  }

  private void sendOthers(LogMessage message, Outbox outbox) {
    for (long each : asked) {
      if (each != self) {
        outbox.send(each, message);
      }
    }
  }
}

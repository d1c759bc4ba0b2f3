package dev.tempest.simulator;

import dev.tempest.protocol.Mix;
import dev.tempest.protocol.order.log.Agreement;
import dev.tempest.protocol.order.log.Agreement.Event;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a replica of a {@link LogWorld} does about updates that clients send to all: it votes for
 * them while it may, each once, and puts the others into the log if it leads. What each comes to
 * depends on all before it, and on when it runs.
 */
final class LogVoting {
  private static final int CLOSES_PERCENT = 2;

  /** So often it votes for the latest first. */
  private static final int REORDERS_PERCENT = 10;

  /** So often it comes to something else than the others. */
  private static final int ERRS_PERCENT = 1;

  /** By so much. */
  static final long ERROR = 1;

  private static final long MILLI = 1_000_000;

  private final LogWorld world;
  private final LogReplica replica;

  /** Those that are not in the log for good, in the order in which they came. */
  private final Map<RequestId, SlotEntry.Called> kept = new LinkedHashMap<>();

  private final Set<RequestId> committed = new LinkedHashSet<>();

  /** What it has voted for, or proposed, and may be in the log by now. */
  private final Set<RequestId> underWay = new LinkedHashSet<>();

  /** What is in the log for good comes to this, and with what is under way to that. */
  private long counts;

  private long newest;

  private boolean wasServing;
  private boolean votes;

  LogVoting(LogWorld world, LogReplica replica) {
    this.world = world;
    this.replica = replica;
  }

  /** A client asks for this. */
  void ask(SlotEntry.Called entry) {
    if (replica.runs() && !committed.contains(entry.id())) {
      kept.putIfAbsent(entry.id(), entry);
      goOn();
    }
  }

  /** What a log comes to with one more entry. */
  static long next(long before, SlotEntry entry) {
    return entry instanceof SlotEntry.Called called
        ? Mix.mix(before + Mix.hash(called.id()) + Mix.mix(called.millis()))
        : before;
  }

  /** It takes a state in place of all that it had. */
  void restart() {
    counts = 0;
    stopped();
  }

  void committed(SlotEntry entry) {
    counts = next(counts, entry);
    RequestId id = entry.id();
    if (id != null) {
      committed.add(id);
      kept.remove(id);
      underWay.remove(id);
    }
    if (underWay.isEmpty()) {
      newest = counts;
    }
  }

  /** What it has voted for may come to nothing. */
  void stopped() {
    underWay.clear();
    newest = counts;
  }

  /** Votes for what it may vote for by now. */
  void goOn() {
    Agreement machine = replica.machine();
    if (wasServing && !machine.serves()) {
      stopped();
    }
    wasServing = machine.serves();
    if (votes || !machine.isVoting()) {
      return;
    }
    votes = true; // Each vote is a step.
    List<SlotEntry.Called> all = new ArrayList<>(kept.values());
    if (!world.isHealed() && world.random().chance(REORDERS_PERCENT)) {
      Collections.reverse(all);
    }
    for (SlotEntry.Called entry : all) {
      if (machine.isVoting() && isNew(entry)) {
        vote(machine, entry);
      }
    }
    votes = false;
  }

  private boolean isNew(SlotEntry.Called entry) {
    return !committed.contains(entry.id()) && !underWay.contains(entry.id());
  }

  /** Runs it: what came before is what it comes to. */
  private SlotEntry.Called executed(SlotEntry.Called asked, long millis, long error) {
    SlotEntry.Called entry =
        new SlotEntry.Called(
            asked.id(), millis, asked.answeredBelow(), asked.call(), newest + error);
    newest = next(newest, entry);
    underWay.add(entry.id());
    return entry;
  }

  private void vote(Agreement machine, SlotEntry.Called asked) {
    boolean errs = !world.isHealed() && world.random().chance(ERRS_PERCENT);
    SlotEntry.Called entry = executed(asked, asked.millis(), errs ? ERROR : 0);
    replica.step(new Event.Vote(world.nowNanos(), entry));
    world.voted(replica, machine.vote(), machine.needed(), entry);
  }

  /** If it leads, it puts some of what it has not voted for into the log. */
  void propose(int percent) {
    Agreement machine = replica.machine();
    if (!replica.runs() || !machine.serves()) {
      return;
    }
    if (!machine.proposes()) {
      if (world.random().chance(CLOSES_PERCENT)) {
        replica.step(new Event.Close(world.nowNanos()));
      }
      return;
    }
    List<SlotEntry.Called> all = new ArrayList<>(kept.values());
    for (SlotEntry.Called entry : all) {
      if (machine.proposes() && isNew(entry) && world.random().chance(percent)) {
        long millis = world.nowNanos() / MILLI;
        replica.step(new Event.Propose(world.nowNanos(), executed(entry, millis, 0)));
      }
    }
  }
}

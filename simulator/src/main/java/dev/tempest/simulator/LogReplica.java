package dev.tempest.simulator;

import dev.tempest.protocol.order.log.Acceptor;
import dev.tempest.protocol.order.log.Agreement;
import dev.tempest.protocol.order.log.Agreement.Effect;
import dev.tempest.protocol.order.log.Agreement.Event;
import dev.tempest.protocol.order.log.Consensus;
import dev.tempest.protocol.order.log.Group;
import dev.tempest.protocol.order.log.PrimaryBackup;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A replica of a {@link LogWorld}: the machine, the process in which it runs, and its disk. */
final class LogReplica {
  private static final long MILLI = 1_000_000;
  private static final int SHORTENS_PERCENT = 2;
  private static final int CHECKPOINT_PERCENT = 1;
  private static final int DOWN_MAX_MILLIS = 600;
  private static final int STATE_MAX_MILLIS = 100;

  private final LogWorld world;
  private final int index;

  /** Those who found the group with it; nobody if it comes later. */
  private final List<Long> founders;

  private final LogDisk disk;

  /** What it was told is in the log for good. */
  private final List<SlotEntry> log = new ArrayList<>();

  private final LogVoting voting;

  private Agreement machine;
  private int lives;
  private boolean isDown;
  private boolean isDead;
  private long stoppedUntilNanos;
  private long ticksAtNanos;

  /** Which state it waits for; -1 for none. */
  private long takesStateAt = -1;

  LogReplica(LogWorld world, int index, List<Long> founders, LogDisk disk) {
    this.world = world;
    this.index = index;
    this.founders = founders;
    this.disk = disk;
    this.machine = fresh();
    this.voting = new LogVoting(world, this);
  }

  private Agreement fresh() {
    Group group = world.group(index);
    LogViews views = world.views();
    return views != null
        ? new PrimaryBackup(group, views.copies(), world.nowNanos())
        : new Consensus(group, world.random().nextLong(), world.nowNanos());
  }

  /** Its process starts. */
  void begin() {
    if (!founders.isEmpty()) {
      step(new Event.Founded(world.nowNanos(), new SlotEntry.Members(founders)));
    }
    tickLater();
  }

  long id() {
    return index;
  }

  String name() {
    return "p" + index;
  }

  boolean serves() {
    return machine.serves();
  }

  Agreement machine() {
    return machine;
  }

  /** Of updates that clients send to all. */
  LogVoting voting() {
    return voting;
  }

  /** Whether it does something by now. */
  boolean runs() {
    return !isDead && !isDown && stoppedUntilNanos <= world.nowNanos();
  }

  /** Whether it would read without an entry. */
  boolean readsWithout(long slot) {
    return !isDead && !isDown && machine.readsWithout(slot, world.nowNanos());
  }

  List<Long> members() {
    return machine.members();
  }

  /** How much of the log it knows. */
  int length() {
    return log.size();
  }

  /** Whether its process will never come back. */
  boolean isDead() {
    return isDead;
  }

  /** Its process ends for good. */
  void die() {
    isDead = true;
  }

  /** Until then it does nothing, and what comes meanwhile waits. */
  void stop(long untilNanos) {
    stoppedUntilNanos = untilNanos;
  }

  /** Its process ends, and what was not stored by then is gone. */
  void crash() {
    if (isDead || isDown) {
      return;
    }
    world.crashed(this);
    isDown = true;
    lives++;
    world.after(world.random().below(DOWN_MAX_MILLIS) * MILLI, this::comeBack);
  }

  private void comeBack() {
    isDown = false;
    stoppedUntilNanos = world.nowNanos();
    ticksAtNanos = 0;
    takesStateAt = -1;
    disk.crash(world.nowNanos());
    log.clear();
    LogPoint state = disk.state();
    if (state != null) {
      log.addAll(world.committed().subList(0, (int) state.slot()));
    }
    if (disk.stored().isEmpty()) {
      machine = fresh(); // It has said nothing yet.
      begin();
    } else {
      Acceptor restored = Acceptor.restored(state, disk.stored());
      machine =
          new Consensus(world.group(index), restored, world.random().nextLong(), world.nowNanos());
    }
    step(new Event.Tick(world.nowNanos()));
  }

  /** Something happens to it: once it goes on, if it is stopped. */
  void step(Event event) {
    if (isDead || isDown) {
      return;
    }
    if (stoppedUntilNanos > world.nowNanos()) {
      world.after(stoppedUntilNanos - world.nowNanos(), () -> step(later(event)));
      return;
    }
    take(event).forEach(this::perform);
    if (machine.serves()) {
      world.serves(this, machine.ballot(), machine.committed());
    }
    if (world.shortens() && world.random().chance(SHORTENS_PERCENT)) {
      shorten();
    }
    if (world.stores() && world.random().chance(CHECKPOINT_PERCENT) && !log.isEmpty()) {
      disk.checkpoint(world.pointAt(log.size()));
    }
    takeState();
    world.checkRead(this);
    voting.goOn();
    tickLater();
  }

  private List<Effect> take(Event event) {
    world.stepped();
    try {
      List<Effect> effects = machine.step(event);
      machine.checkInvariants();
      return effects;
    } catch (AssertionError broken) {
      throw new Violation.Found(
          Violation.Kind.INVARIANT, name() + ": " + broken.getMessage(), broken);
    } catch (RuntimeException failed) {
      throw new Violation.Found(Violation.Kind.THREW, name() + " threw " + failed, failed);
    }
  }

  private Event later(Event event) {
    long nowNanos = world.nowNanos();
    return switch (event) {
      case Event.Tick tick -> new Event.Tick(nowNanos);
      case Event.Received(var then, var from, var message) ->
          new Event.Received(nowNanos, from, message);
      case Event.Founded(var then, var members) -> new Event.Founded(nowNanos, members);
      case Event.Change(var then, var wanted, var gone) -> new Event.Change(nowNanos, wanted, gone);
      case Event.Propose(var then, var entry) -> new Event.Propose(nowNanos, entry);
      case Event.Viewed(var then, var view) -> new Event.Viewed(nowNanos, view);
      case Event.Vote(var then, var entry) -> new Event.Vote(nowNanos, entry);
      case Event.Close(var then) -> new Event.Close(nowNanos);
    };
  }

  private void perform(Effect effect) {
    switch (effect) {
      case Effect.Send(var to, var message) ->
          world.send(index, (int) to, (LogMessage.OfBallot) message);
      case Effect.Vow vow -> vow(vow);
      case Effect.Committed(var slot, var entry) -> {
        world.commits(this, slot, entry);
        log.add(entry);
        voting.committed(entry);
      }
      case Effect.VotesNoMore stopped -> voting.stopped();
      case Effect.AskForView(var wanted) -> Objects.requireNonNull(world.views()).ask(this, wanted);
      case Effect.Installed(var point) -> {
        world.takesState(this, point.slot());
        log.clear();
        log.addAll(world.committed().subList(0, (int) point.slot()));
        voting.restart();
        log.forEach(voting::committed);
        disk.installed(point);
      }
    }
  }

  /** What was said is stored after a while, all that has come meanwhile together, and then sent. */
  private void vow(Effect.Vow vow) {
    int life = lives;
    Runnable written = disk.write(vow.stored());
    boolean isMore = !vow.stored().isEmpty();
    long varies = world.random().below(3_000) * 1_000L;
    world.after(
        disk.writtenNanos(isMore, world.nowNanos(), varies) - world.nowNanos(),
        () -> {
          if (lives != life || isDead) {
            return;
          }
          written.run();
          if (vow.to() == index) {
            step(new Event.Received(world.nowNanos(), index, vow.vow()));
          } else {
            world.send(index, (int) vow.to(), vow.vow());
          }
        });
  }

  /** Whatever has happened may have brought it forward. */
  private void tickLater() {
    long nowNanos = world.nowNanos();
    long dueNanos = Math.max(machine.nextTickNanos(), Math.max(stoppedUntilNanos, nowNanos + 1));
    if (ticksAtNanos > nowNanos && ticksAtNanos <= dueNanos) {
      return;
    }
    ticksAtNanos = dueNanos;
    world.after(
        dueNanos - nowNanos,
        () -> {
          if (!isDead && !isDown && ticksAtNanos == dueNanos) {
            ticksAtNanos = 0;
            step(new Event.Tick(world.nowNanos()));
          }
        });
  }

  private void shorten() {
    long start = machine.start();
    if (machine.droppable() > start + 1 && !machine.isGivingState()) {
      machine.dropBelow(world.random().between(start + 1, machine.droppable()));
    }
  }

  /** It takes the state from the leader that it follows, if that one still has it. */
  private void takeState() {
    long slot = machine.takesStateAt();
    if (slot < 0 || slot == takesStateAt) {
      return;
    }
    takesStateAt = slot;
    LogReplica giver = world.replica((int) machine.ballot().replica());
    world.after(
        world.random().below(STATE_MAX_MILLIS) * MILLI,
        () -> {
          takesStateAt = -1;
          if (!giver.isDead && giver.machine.start() == slot) {
            machine.stateIsHere(world.pointAt(slot));
          }
        });
  }
}

package dev.tempest.simulator;

import dev.tempest.protocol.membership.Occupant;
import java.util.function.Consumer;

/**
 * How a process finds out who lives at an address: a connection that the system of the other one
 * accepts, whatever the process does, and that says no more until the process runs.
 */
final class MemberDoor {
  private static final long TAKES_NANOS = 1_000_000;

  private static final long LOOK_NANOS = 5_000_000;

  /** Where nobody can be reached, that is known then. */
  private static final long CONNECT_NANOS = 1_000_000_000;

  private final MemberWorld world;
  private final MemberProcess from;
  private final MemberProcess to;
  private final int life;
  private final Consumer<Occupant> told;
  private boolean accepted;
  private int lifeThere;

  private MemberDoor(
      MemberWorld world, MemberProcess from, MemberProcess to, Consumer<Occupant> told) {
    this.world = world;
    this.from = from;
    this.to = to;
    this.life = from.lives();
    this.told = told;
  }

  /** Finds it out; {@code ended} when nothing more is to be found out by this connection. */
  static void knock(
      MemberWorld world,
      MemberProcess from,
      MemberProcess to,
      Consumer<Occupant> told,
      Runnable ended) {
    MemberDoor door = new MemberDoor(world, from, to, told);
    long untilNanos = world.nowNanos() + CONNECT_NANOS;
    world.at(world.nowNanos() + TAKES_NANOS, () -> door.look(untilNanos, ended));
  }

  private void look(long untilNanos, Runnable ended) {
    boolean connected =
        world.network().connects(from.index, to.index)
            && world.network().connects(to.index, from.index);
    boolean isOver = from.lives() != life || !from.isProbing();
    boolean hears = !isOver && from.isAwake();
    if (hears && connected) {
      isOver = answered();
    } else if (hears && !accepted && world.nowNanos() >= untilNanos) {
      told.accept(Occupant.UNREACHABLE);
      isOver = true;
    } // A connection that was accepted hangs while nothing comes through.
    if (isOver) {
      ended.run();
    } else {
      world.at(world.nowNanos() + LOOK_NANOS, () -> look(untilNanos, ended));
    }
  }

  private boolean answered() {
    boolean isGone = !to.isUp() || (accepted && to.lives() != lifeThere);
    if (isGone || to.isAwake()) {
      told.accept(!isGone && to.isActive() ? Occupant.MEMBER : Occupant.NONE);
      return true;
    }
    if (!accepted) {
      accepted = true;
      lifeThere = to.lives();
      told.accept(Occupant.SILENT);
    }
    return false;
  }
}

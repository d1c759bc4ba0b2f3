package dev.tempest.simulator;

import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import dev.tempest.wire.Message.Roster;
import java.util.ArrayList;
import java.util.List;

/** Makes things go wrong among processes that look for each other, until told to stop. */
final class MemberFaults {
  private static final long MILLI = MemberWorld.MILLI;

  /** What may go wrong. */
  enum Fault {
    CRASH,
    RESTART_AT_ONCE,
    LEAVE,
    PAUSE,
    PARTITION,
    ONE_WAY_CUT,
    CLOCK,
    BAD_SPELL,
    LIE
  }

  private final MemberWorld world;
  private final Randomness random;
  private final int untilMillis;
  private boolean over;

  MemberFaults(MemberWorld world, int untilMillis) {
    this.world = world;
    this.random = world.random().split();
    this.untilMillis = untilMillis;
  }

  void plan(int count) {
    for (int i = 0; i < count; i++) {
      one(random.pick(List.of(Fault.values())), random.between(0, untilMillis));
    }
  }

  /** Nothing begins to go wrong any more. */
  void stop() {
    over = true;
  }

  private void one(Fault fault, int atMillis) {
    MemberProcess process = random.pick(world.processes());
    switch (fault) {
      case CRASH -> {
        at(atMillis, process::crash);
        at(atMillis + durationMillis(), process::start);
      }
      case RESTART_AT_ONCE -> {
        at(atMillis, process::crash);
        at(atMillis + random.between(1, 50), process::start);
      }
      case LEAVE -> {
        at(atMillis, process::leave);
        at(atMillis + durationMillis(), process::start);
      }
      case PAUSE -> {
        long nanos = durationMillis() * MILLI;
        boolean deaf = random.chance(50);
        at(atMillis, () -> process.pause(nanos, deaf));
      }
      case PARTITION -> partition(atMillis, durationMillis());
      case ONE_WAY_CUT -> {
        int other = random.below(world.processes().size());
        cut(List.of(process.index), List.of(other), atMillis, durationMillis());
      }
      case CLOCK -> {
        long nanos = random.between(-5_000, 600_000) * MILLI;
        at(atMillis, () -> process.clock.shift(nanos));
      }
      case BAD_SPELL -> badSpell(atMillis);
      case LIE -> {
        for (int lie = random.between(1, 5); lie > 0; lie--) {
          at(atMillis + random.between(0, 2_000), () -> lie(process));
        }
      }
    }
  }

  /** A member tells another one of a third what is not true. */
  private void lie(MemberProcess liar) {
    MemberProcess about = random.pick(world.processes());
    MemberProcess to = random.pick(world.processes());
    if (liar.isMember() && about.isMember()) {
      world.trace(liar.name, "lies about " + about.name + " to " + to.name);
      MemberRecord lie =
          new MemberRecord(
              about.id(),
              random.pick(List.of(MemberState.values())),
              1L << random.between(0, 62),
              1L << random.between(0, 62),
              about.name,
              "");
      MemberRecord self = new MemberRecord(liar.id(), MemberState.PRESENT, 0, 0, liar.name, "");
      world.send(liar, to.index, new Roster(self, List.of(lie), List.of()));
      world.send(liar, to.index, new Roster(lie, List.of(lie), List.of()));
    }
  }

  /** Some are shorter than any patience, some longer than it takes to be expelled. */
  private int durationMillis() {
    int expelMillis = world.settings().expelAfterMillis();
    return random.chance(60) ? random.between(20, 5_000) : random.between(5_000, 2 * expelMillis);
  }

  private void at(long millis, Runnable fault) {
    world.at(
        millis * MILLI,
        () -> {
          if (!over) {
            fault.run();
          }
        });
  }

  private void partition(int atMillis, int millis) {
    List<Integer> left = new ArrayList<>();
    List<Integer> right = new ArrayList<>();
    world.processes().forEach(each -> (random.chance(50) ? left : right).add(each.index));
    cut(left, right, atMillis, millis);
    cut(right, left, atMillis, millis);
  }

  private void cut(List<Integer> from, List<Integer> to, int atMillis, int millis) {
    at(
        atMillis,
        () -> {
          world.trace("", "nothing gets from " + from + " to " + to + " for " + millis + " ms");
          from.forEach(one -> to.forEach(other -> world.network().cut(one, other)));
        });
    at(
        atMillis + millis,
        () -> {
          from.forEach(one -> to.forEach(other -> world.network().mend(one, other)));
          world.mended();
        });
  }

  private void badSpell(int atMillis) {
    Network.Conditions usual = world.network().conditions();
    Network.Conditions bad =
        new Network.Conditions(
            50,
            usual.duplicatePercent(),
            usual.damagePercent(),
            usual.delayMinNanos(),
            usual.delayMeanNanos() * 4,
            usual.stragglerPercent(),
            usual.stragglerMaxNanos());
    at(atMillis, () -> world.network().conditions(bad));
    at(atMillis + random.between(20, 4_000), () -> world.network().conditions(usual));
  }
}

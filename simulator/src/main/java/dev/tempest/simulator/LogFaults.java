package dev.tempest.simulator;

import dev.tempest.protocol.order.log.Agreement.Event;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What goes wrong in a {@link LogWorld}: links are cut, replicas stop and go on, come and go for
 * good; if they store, any of them crash, all at once as well.
 */
final class LogFaults {
  /** One way. */
  record Link(int from, int to) {}

  private static final long MILLI = 1_000_000;
  private static final int LOSS_MAX_PERCENT = 30;

  /** So many copies arrive when whoever sent them has long gone on. */
  private static final int STRAGGLERS_PERCENT = 2;

  private static final int STRAGGLES_MAX_MILLIS = 1_500;
  private static final int MEMBERS_MAX = 5;

  /** What votes alone hold together is soon in logs, too. */
  private static final int VOTING_PAUSE_MAX_MILLIS = 60;

  private static final int REPLICAS_MAX = 6;

  private final LogWorld world;
  private final Randomness random;
  private final Set<Link> cut = new LinkedHashSet<>();
  private final int lossPercent;

  /** Nobody dies, and members change while earlier changes are under way. */
  private final boolean isWild;

  /** Who should be members. */
  private List<Long> members;

  LogFaults(LogWorld world, List<Long> members) {
    this.world = world;
    this.random = world.random();
    this.members = members;
    this.lossPercent = random.below(LOSS_MAX_PERCENT);
    this.isWild = random.chance(50);
  }

  void begin() {
    failLater();
    changeLater();
  }

  void heal() {
    cut.clear();
    world.replicas().forEach(replica -> replica.stop(world.nowNanos()));
    if (world.views() != null) {
      members = living();
    }
    tellMembers();
  }

  private List<Long> living() {
    return world.replicas().stream().filter(each -> !each.isDead()).map(LogReplica::id).toList();
  }

  /** Who should be members in the end. */
  List<Long> members() {
    return members;
  }

  /** Whether these are they. */
  boolean areWanted(List<Long> known) {
    return new TreeSet<>(known).equals(new TreeSet<>(members));
  }

  boolean isCut(int from, int to) {
    return cut.contains(new Link(from, to));
  }

  /** How often a message arrives. */
  int copies() {
    return !world.isHealed() && random.chance(lossPercent) ? random.below(3) : 1;
  }

  /** How much later one arrives once more; 0 if it does not. */
  long straggles() {
    return !world.isHealed() && random.chance(STRAGGLERS_PERCENT)
        ? random.below(STRAGGLES_MAX_MILLIS) * MILLI
        : 0;
  }

  private void failLater() {
    world.after(
        random.below(pauseMaxMillis()) * MILLI,
        () -> {
          if (!world.isHealed()) {
            fail();
            failLater();
          }
        });
  }

  private int pauseMaxMillis() {
    if (world.clients() != null) {
      return VOTING_PAUSE_MAX_MILLIS;
    }
    return isWild ? 100 : 300;
  }

  private void fail() {
    LogReplica one = random.pick(world.replicas());
    LogReplica other = random.pick(world.replicas());
    switch (random.below(world.stores() ? 9 : 6)) {
      case 0 -> one.stop(world.nowNanos() + random.below(500) * MILLI);
      case 1 -> cut(one, other); // One way only.
      case 2 ->
          world
              .replicas()
              .forEach(each -> {
                cut(one, each);
                cut(each, one);
              });
      case 3 -> part();
      case 4 ->
          world.replicas().forEach(each -> each.stop(world.nowNanos() + random.below(100) * MILLI));
      case 6, 7 -> one.crash();
      case 8 -> world.replicas().forEach(LogReplica::crash);
      default -> cut.clear();
    }
  }

  private void part() {
    int side = random.below(1 << world.replicas().size());
    for (LogReplica from : world.replicas()) {
      for (LogReplica to : world.replicas()) {
        if ((side >> from.id() & 1) != (side >> to.id() & 1)) {
          cut(from, to);
        }
      }
    }
  }

  private void cut(LogReplica from, LogReplica to) {
    cut.add(new Link((int) from.id(), (int) to.id()));
  }

  /** Members come and go, and one is killed and succeeded by one that has no memory. */
  private void changeLater() {
    world.after(
        random.below(isWild ? 100 : 1_500) * MILLI,
        () -> {
          if (!world.isHealed() && isWild) {
            changeAtSome();
          } else if (!world.isHealed() && isSettled()) {
            change();
          }
          if (!isWild || world.isHealed()) {
            tellMembers();
          }
          changeLater();
        });
  }

  private boolean isSettled() {
    LogViews views = world.views();
    if (views != null) {
      return views.isSettled();
    }
    return members.stream().allMatch(this::knowsMembers);
  }

  /** For good: what it has only accepted may be gone with the end of others. */
  private boolean knowsMembers(long member) {
    int length = world.replica((int) member).length();
    return areWanted(world.pointAt(length).members());
  }

  private void change() {
    boolean joins = members.size() < MEMBERS_MAX && random.chance(50);
    boolean leaves = members.size() > 2 && random.chance(50) && mayDie();
    members = new ArrayList<>(members);
    if (leaves) {
      LogReplica gone = world.replica(random.pick(members).intValue());
      if (random.chance(67)) {
        gone.die();
      }
      members.remove(gone.id());
    }
    if (joins) {
      members.add(world.start(List.of()).id());
    }
  }

  /** Whoever has the only copy of a log takes it along. */
  private boolean mayDie() {
    return world.views() == null || world.views().latest().members().size() > 1;
  }

  /** Some are told of others than others. */
  private void changeAtSome() {
    if (world.replicas().size() < REPLICAS_MAX && random.chance(10)) {
      world.start(List.of());
    }
    members = new ArrayList<>();
    while (members.isEmpty()) {
      for (LogReplica replica : world.replicas()) {
        if (random.chance(67)) {
          members.add(replica.id());
        }
      }
    }
    for (LogReplica replica : world.replicas()) {
      if (random.chance(50)) {
        tellMembers(replica);
      }
    }
  }

  private void tellMembers() {
    world.replicas().forEach(this::tellMembers);
  }

  private void tellMembers(LogReplica replica) {
    replica.step(new Event.Change(world.nowNanos(), new SlotEntry.Members(members), gone()));
  }

  /** Those who seem to be, of whom some are not if members change as they like. */
  private List<Long> gone() {
    boolean errs = isWild && !world.isHealed();
    return world.replicas().stream()
        .filter(replica -> replica.isDead() || (errs && random.chance(25)))
        .map(LogReplica::id)
        .toList();
  }
}

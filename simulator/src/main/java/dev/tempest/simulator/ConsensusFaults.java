package dev.tempest.simulator;

import dev.tempest.protocol.order.Order.ByConsensus.Log;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.simulator.ConsensusDisk.Fault;
import dev.tempest.wire.GroupView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What goes wrong with servers whose order is by consensus, until all is healed: they stop, are cut
 * off, one way or both, and are killed; disks are full, cannot be written, or lose what they should
 * sync; clocks leap ahead, or stand still with their machine.
 */
final class ConsensusFaults {
  private static final long MILLI = 1_000_000;

  /** Whoever is down for so long has been missed by all that run. */
  private static final long MISSED_NANOS = 1_000 * MILLI;

  private static final int LONGEST_DOWN_MILLIS = 800;
  private static final int LONGEST_DOWN_OF_ADAPTIVE_MILLIS = 2_000;

  /** Whoever follows a leader notices as much, however often it is heard. */
  private static final long LEAP_MIN_NANOS = 400 * MILLI;

  private final ConsensusWorld world;
  private final Map<Integer, Long> cutUntil = new LinkedHashMap<>();

  /** Draws what goes wrong with disks and clocks, so that all else is as it is without that. */
  private final Randomness apart;

  private long crashes;

  ConsensusFaults(ConsensusWorld world) {
    this.world = world;
    this.apart = new Randomness(Randomness.mix(world.seed() + 1));
  }

  /** How often a server was killed. */
  long crashes() {
    return crashes;
  }

  /** From now on something goes wrong every so often. */
  void begin() {
    world.after(
        world.random().between(100, 700) * MILLI,
        () -> {
          if (!world.isHealed()) {
            happen();
            begin();
          }
        });
  }

  /** Nothing is wrong with the disks any more. */
  void heal() {
    world.servers().forEach(ConsensusServer::mendDisk);
  }

  private void happen() {
    Randomness random = world.random();
    ConsensusServer server = random.pick(world.servers());
    switch (random.below(5)) {
      case 0 -> server.stop(random.below(600) * MILLI);
      case 1, 2 -> cutOff(server, random.below(900) * MILLI);
      default -> {
        if (world.order().stores() && random.chance(40)) {
          killSome();
        } else if (mayKill()) {
          restart(server, true);
          if (random.chance(20)) {
            server.damage();
          }
        }
      }
    }
    happenApart();
  }

  private void happenApart() {
    ConsensusServer server = apart.pick(world.servers());
    switch (apart.below(8)) {
      case 0 -> server.leapAhead(apart.between(LEAP_MIN_NANOS, server.aheadMaxNanos()));
      case 1 -> server.standStill(apart.below(400) * MILLI);
      case 2, 3 -> failDisk(server);
      default -> {}
    }
  }

  /** An adaptive log that could not be synced may be lost. */
  private void failDisk(ConsensusServer server) {
    Fault fault = apart.pick(List.of(Fault.values()));
    if (fault != Fault.FAILS_TO_SYNC || world.order().log() != Log.ADAPTIVE || mayKill()) {
      server.failDisk(fault);
    }
  }

  /** As in {@link ConsensusServer#kill}, and starts it a while later. */
  void restart(ConsensusServer server, boolean mayForget) {
    crashes++;
    server.kill(mayForget);
    boolean isAdaptive = world.order().log() == Log.ADAPTIVE;
    int longest = isAdaptive ? LONGEST_DOWN_OF_ADAPTIVE_MILLIS : LONGEST_DOWN_MILLIS;
    world.after(world.random().below(longest) * MILLI, server::start);
  }

  /**
   * Of those that store, whatever the others do: they come back with what they had, at another
   * process; but for one that may lose its power, if the others can go on without it.
   */
  private void killSome() {
    Randomness random = world.random();
    boolean all = random.chance(30);
    ConsensusServer loser = mayKill() ? random.pick(world.servers()) : null;
    for (ConsensusServer each : world.servers()) {
      boolean comesBack = world.orderAt(each.place()).stores();
      if (each.runs() && comesBack && (all || random.chance(50))) {
        restart(each, each == loser || hasMissedAnother(each));
      }
    }
  }

  /** It has to have synced all by then, and may lose its power whatever it relied on. */
  private boolean hasMissedAnother(ConsensusServer server) {
    long since = world.nowNanos() - MISSED_NANOS;
    return server.hasRun(true, since)
        && world.servers().stream().anyMatch(each -> each.hasRun(false, since));
  }

  /** All servers are the members, as each of them knows for good: the group outlives any. */
  boolean mayKill() {
    if (world.order().quorum() == Quorum.ALL) {
      return mayKillByPrimary();
    }
    List<Long> all = world.servers().stream().map(ConsensusServer::replicaId).sorted().toList();
    return world.servers().stream()
        .allMatch(each ->
            each.runs()
                && !each.isStopped()
                && !each.hasFailingDisk()
                && each.members().stream().sorted().toList().equals(all));
  }

  /** All servers run, and there are as many copies as there should be. */
  private boolean mayKillByPrimary() {
    GroupView view = world.views().latest();
    List<Long> all = world.servers().stream().map(ConsensusServer::replicaId).toList();
    return view.isComplete()
        && all.containsAll(view.members())
        && view.members().size() == world.copies()
        && world.servers().stream()
            .allMatch(each ->
                each.runs()
                    && !each.isStopped()
                    && (!view.members().contains(each.replicaId())
                        || each.members().equals(view.members())));
  }

  /**
   * With another one maybe, so that a leader keeps somebody who follows it; and from some clients,
   * so that not all that is asked for reaches both sides.
   */
  private void cutOff(ConsensusServer server, long nanos) {
    Randomness random = world.random();
    boolean bothWays = random.chance(75);
    List<ConsensusServer> here =
        random.chance(25) ? List.of(server, random.pick(world.servers())) : List.of(server);
    String names = here.stream().map(ConsensusServer::name).distinct().toList().toString();
    world.trace(names, "cut off for " + nanos / MILLI + " ms" + (bothWays ? "" : ", one way"));
    List<Integer> away = here.stream().map(ConsensusServer::place).toList();
    for (int there = 0; there < world.size() + world.clients(); there++) {
      boolean isReached = there < world.size() ? away.contains(there) : random.chance(50);
      for (int each : isReached ? List.<Integer>of() : away) {
        cutUntil.put(link(each, there), world.nowNanos() + nanos);
        if (bothWays) {
          cutUntil.put(link(there, each), world.nowNanos() + nanos);
        }
      }
    }
  }

  /** Whether nothing comes from one place to the other now. */
  boolean isCut(int from, int to) {
    return cutUntil.getOrDefault(link(from, to), 0L) > world.nowNanos();
  }

  private static int link(int from, int to) {
    return from * 1_000 + to;
  }
}

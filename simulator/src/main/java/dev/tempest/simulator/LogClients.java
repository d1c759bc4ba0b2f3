package dev.tempest.simulator;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Clients of a {@link LogWorld} whose replicas vote: they send updates to all, and know that one is
 * chosen once so many have voted for it in the same place after the same. That has to stay so.
 */
final class LogClients {
  private static final long MILLI = 1_000_000;
  private static final int CLIENT = 100;
  private static final int PROPOSES_PERCENT = 20;
  private static final int ENTRY_MAX_BYTES = 400;

  /** What a client is told with an answer. */
  private record Said(long end, long hash) {}

  private final LogWorld world;
  private final Randomness random;
  private final int slowestMicros;

  /** So much of what comes is proposed while nobody votes; the rest waits for votes. */
  private final int proposesPercent;

  private final Map<Said, Set<Long>> votes = new LinkedHashMap<>();
  private final SortedMap<Long, SlotEntry> learned = new TreeMap<>();
  private final Set<RequestId> committed = new LinkedHashSet<>();
  private long asked;
  private long knownBefore;

  /** What the log comes to so far. */
  private long counts;

  LogClients(LogWorld world, Randomness random) {
    this.world = world;
    this.random = random;
    this.slowestMicros = random.chance(50) ? 500 : 30_000;
    this.proposesPercent = random.chance(50) ? PROPOSES_PERCENT : 1;
  }

  /** They begin to ask. */
  void askLater() {
    world.after(
        pauseMillis() * MILLI,
        () -> {
          ask();
          askLater();
        });
  }

  /** Whoever is to become a member has to come on. */
  private int pauseMillis() {
    return world.isHealed()
        ? random.between(10, 30)
        : random.between(0, random.chance(50) ? 3 : 40);
  }

  private void ask() {
    Call call = new Call(1, Bytes.of(new byte[random.below(ENTRY_MAX_BYTES)]));
    RequestId id = new RequestId(CLIENT, ++asked);
    SlotEntry.Called entry = new SlotEntry.Called(id, world.nowNanos() / MILLI, 0, call, 0);
    for (LogReplica replica : world.replicas()) {
      int copies = world.isHealed() || random.chance(95) ? 1 : random.below(3);
      for (int copy = 0; copy < copies; copy++) {
        world.after(random.below(slowestMicros) * 1_000L, () -> replica.voting().ask(entry));
      }
    }
    int percent = world.isHealed() ? PROPOSES_PERCENT : proposesPercent;
    world.replicas().forEach(each -> each.voting().propose(percent));
  }

  /** A replica tells the client what it has voted for. */
  void voted(LogReplica replica, LogMessage.Vote vote, int needed, SlotEntry.Called entry) {
    Set<Long> all =
        votes.computeIfAbsent(new Said(vote.end(), vote.hash()), none -> new LinkedHashSet<>());
    all.add(replica.id());
    if (all.size() >= needed) {
      SlotEntry before = learned.putIfAbsent(vote.end() - 1, entry);
      if (before == null) {
        world.trace("clients", "know slot " + (vote.end() - 1) + ": " + entry.id());
      }
      check(vote.end() - 1, before == null ? entry : before, entry);
      if (world.committed().size() >= vote.end()) {
        check(vote.end() - 1, world.committed().get((int) vote.end() - 1), entry);
      }
    }
  }

  private static void check(long slot, SlotEntry entry, SlotEntry other) {
    if (!entry.equals(other)) {
      throw new Violation.Found(
          new Violation(
              Violation.Kind.LOST,
              "clients know %s in slot %d, where there is %s".formatted(other, slot, entry)));
    }
  }

  /** This is in the log for good: it came to what all before it gave. */
  void commits(long slot, SlotEntry entry) {
    if (entry instanceof SlotEntry.Called called && !isOn(counts, called.outcome())) {
      throw new Violation.Found(
          new Violation(
              Violation.Kind.OUT_OF_ORDER, "slot %d ran on something else".formatted(slot)));
    }
    counts = LogVoting.next(counts, entry);
    SlotEntry known = learned.get(slot);
    if (known != null) {
      check(slot, entry, known);
    }
    if (entry.id() != null && !committed.add(entry.id())) {
      throw new Violation.Found(
          new Violation(Violation.Kind.NOT_ONCE, "twice in the log: " + entry));
    }
  }

  private static boolean isOn(long before, long outcome) {
    return outcome == before || outcome == before + LogVoting.ERROR;
  }

  /** So much of the log is known to somebody. */
  long known() {
    return learned.isEmpty() ? 0 : learned.lastKey() + 1;
  }

  /** How many updates clients knew of before any replica did. */
  int learned() {
    return learned.size();
  }

  /** What they have known for a while has to be in the log by the end. */
  void remember() {
    knownBefore = known();
  }

  /** What they have known for a while and is in no log. */
  List<Violation> lost(int length) {
    return knownBefore <= length
        ? List.of()
        : List.of(
            new Violation(
                Violation.Kind.LOST,
                "clients know %d slots, of which %d are in the log"
                    .formatted(knownBefore, length)));
  }
}

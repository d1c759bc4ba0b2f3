package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.log.Consensus.Effect;
import dev.tempest.protocol.order.log.Consensus.Event;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.Change;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A group in one thread, by one seed: messages are lost, doubled and late, links are cut, replicas
 * stop and go on; if they store, any of them crash, all at once as well, and come back with what
 * was stored by then. Whoever serves is asked to put entries into the log.
 */
final class GroupWorld {
  private static final long MILLI = 1_000_000;
  private static final long HEARTBEAT = 20 * MILLI;
  private static final long ELECTION = 60 * MILLI;
  private static final long FAULTS_UNTIL = 4_000 * MILLI;
  private static final int HEALED_SLOWEST_MICROS = 5_000;
  private static final long HEALED_UNTIL = 10_000 * MILLI;

  private static final class Node {
    Consensus machine;

    /** Those who found the group with it; nobody if it comes later. */
    final List<Long> founders;

    final List<SlotEntry> log = new ArrayList<>();
    final GroupDisk disk;
    int lives;
    boolean isDown;
    long stoppedUntil;
    long taking = -1;
    long ticksAtNanos;
    boolean isDead;

    Node(Consensus machine, List<Long> founders, GroupDisk disk) {
      this.machine = machine;
      this.founders = founders;
      this.disk = disk;
    }
  }

  final SplittableRandom random;
  private final Agenda agenda = new Agenda();
  private final List<Node> nodes = new ArrayList<>();
  private final int batch;

  /** Nobody dies, and members change while earlier changes are under way. */
  private final boolean wild;

  /** Logs are shortened, so that some lack what is in a state only. */
  private final boolean shortens;

  private final boolean stores;

  /** Who should be members. */
  private List<Long> members = new ArrayList<>();

  private final Map<Integer, Long> arrivals = new LinkedHashMap<>();
  private final Set<Integer> cut = new LinkedHashSet<>();
  private final int lossPercent;
  private final int slowestMicros;
  private final long slowDiskNanos;
  private final List<SlotEntry> committed = new ArrayList<>();
  private Ballot servedBy = Ballot.NONE;
  private long servedWith;
  private long proposed;
  private long committedWhenHealed;
  private int installed;
  private int crashes;

  GroupWorld(long seed) {
    random = new SplittableRandom(seed);
    int size = 1 + random.nextInt(5);
    lossPercent = random.nextInt(30);
    slowestMicros = 200 + random.nextInt(60_000);
    batch = 1 + random.nextInt(20);
    wild = random.nextBoolean();
    shortens = random.nextBoolean();
    stores = random.nextBoolean();
    slowDiskNanos = random.nextLong(2 * ELECTION);
    members.addAll(LongStream.range(0, size).boxed().toList());
    for (int id = 0; id < size; id++) {
      start(members);
    }
  }

  private void start(List<Long> first) {
    int id = nodes.size();
    Consensus machine = new Consensus(group(id), random.nextLong(), agenda.nowNanos);
    long diskNanos = random.nextBoolean() ? MILLI : slowDiskNanos;
    nodes.add(new Node(machine, first, new GroupDisk(diskNanos)));
    found(id);
    tickLater(id);
  }

  private void found(int index) {
    List<Long> founders = nodes.get(index).founders;
    if (!founders.isEmpty()) {
      step(index, new Event.Founded(agenda.nowNanos, new SlotEntry.Members(founders)));
    }
  }

  private Group group(long id) {
    return new Group(id, HEARTBEAT, ELECTION, stores, false, batch, 1_000);
  }

  /** Runs until everything is healed, and for a while after that. */
  void run() {
    faultLater();
    changeLater();
    proposeLater();
    agenda.at(FAULTS_UNTIL, this::heal);
    agenda.at(
        FAULTS_UNTIL + (HEALED_UNTIL - FAULTS_UNTIL) / 2,
        () -> committedWhenHealed = committed.size());
    agenda.run(HEALED_UNTIL);
    assertThat(committed.size())
        .describedAs("entries are committed after everything was healed")
        .isGreaterThan((int) committedWhenHealed);
    for (long member : members) {
      Node node = nodes.get((int) member);
      assertThat(node.machine.members()).containsExactlyInAnyOrderElementsOf(members);
      assertThat(committed.size() - node.log.size())
          .describedAs("everybody has caught up but for what is on its way")
          .isLessThan(200);
    }
  }

  int committed() {
    return committed.size();
  }

  /** How many states were taken in place of a log. */
  int installed() {
    return installed;
  }

  /** How often a process ended. */
  int crashes() {
    return crashes;
  }

  /** Its process ends, and what was not stored by then is gone. */
  private void crash(int index) {
    Node node = nodes.get(index);
    if (node.isDead || node.isDown) {
      return;
    }
    crashes++;
    node.isDown = true;
    node.lives++;
    agenda.at(agenda.nowNanos + random.nextLong(600 * MILLI), () -> comeBack(index));
  }

  private void comeBack(int index) {
    Node node = nodes.get(index);
    node.isDown = false;
    node.stoppedUntil = agenda.nowNanos;
    node.disk.crash(agenda.nowNanos);
    node.ticksAtNanos = 0;
    node.taking = -1;
    node.log.clear();
    LogPoint state = node.disk.stored.isEmpty() ? null : node.disk.state;
    if (state != null) {
      node.log.addAll(committed.subList(0, (int) state.slot()));
    }
    if (node.disk.stored.isEmpty()) {
      node.machine = new Consensus(group(index), random.nextLong(), agenda.nowNanos);
      found(index); // It has said nothing yet.
    } else {
      Acceptor restored = Acceptor.restored(state, node.disk.stored);
      node.machine = new Consensus(group(index), restored, random.nextLong(), agenda.nowNanos);
    }
    step(index, new Event.Tick(agenda.nowNanos));
  }

  /** What was said is stored after a while, all that has come meanwhile together, and then sent. */
  private void vow(int index, Effect.Vow vow) {
    Node node = nodes.get(index);
    int life = node.lives;
    Runnable written = node.disk.write(vow.stored());
    boolean isMore = !vow.stored().isEmpty();
    agenda.at(
        node.disk.writtenNanos(isMore, agenda.nowNanos, random.nextLong(3 * MILLI)),
        () -> {
          if (node.lives != life || node.isDead) {
            return;
          }
          written.run();
          if (vow.to() == index) {
            step(index, new Event.Received(agenda.nowNanos, index, vow.vow()));
          } else {
            send(index, (int) vow.to(), vow.vow());
          }
        });
  }

  private void heal() {
    cut.clear();
    nodes.forEach(node -> node.stoppedUntil = agenda.nowNanos);
    tellMembers();
  }

  /** Whatever has happened may have brought it forward. */
  private void tickLater(int index) {
    Node node = nodes.get(index);
    long dueNanos =
        Math.max(node.machine.nextTickNanos(), Math.max(node.stoppedUntil, agenda.nowNanos + 1));
    if (node.ticksAtNanos > agenda.nowNanos && node.ticksAtNanos <= dueNanos) {
      return;
    }
    node.ticksAtNanos = dueNanos;
    agenda.at(
        dueNanos,
        () -> {
          if (!node.isDead && !node.isDown && node.ticksAtNanos == dueNanos) {
            node.ticksAtNanos = 0;
            step(index, new Event.Tick(agenda.nowNanos));
          }
        });
  }

  /** With pauses: until then nobody new comes in whose disk is much slower than the others. */
  private void proposeLater() {
    long pauseNanos = random.nextInt(50) == 0 ? 10 * ELECTION : 0;
    agenda.at(
        agenda.nowNanos + pauseNanos + random.nextInt(20_000_000),
        () -> {
          for (int index = 0; index < nodes.size(); index++) {
            if (nodes.get(index).machine.serves() && random.nextInt(3) > 0) {
              var update =
                  new SlotEntry.Proposed(
                      new RequestId(index, ++proposed),
                      agenda.nowNanos / MILLI,
                      0,
                      new Change(Bytes.of(new byte[random.nextInt(400)])));
              step(index, new Event.Propose(agenda.nowNanos, update));
            }
          }
          proposeLater();
        });
  }

  private void faultLater() {
    agenda.at(
        agenda.nowNanos + random.nextLong((wild ? 100 : 300) * MILLI),
        () -> {
          if (agenda.nowNanos < FAULTS_UNTIL) {
            fault();
            faultLater();
          }
        });
  }

  private void fault() {
    int one = random.nextInt(nodes.size());
    int other = random.nextInt(nodes.size());
    switch (random.nextInt(stores ? 9 : 6)) {
      case 0 -> nodes.get(one).stoppedUntil = agenda.nowNanos + random.nextLong(500 * MILLI);
      case 1 -> cut.add(link(one, other)); // One way only.
      case 2 ->
          IntStream.range(0, nodes.size())
              .forEach(each -> cut.addAll(List.of(link(one, each), link(each, one))));
      case 3 -> {
        int side = random.nextInt(1 << nodes.size());
        for (int from = 0; from < nodes.size(); from++) {
          for (int to = 0; to < nodes.size(); to++) {
            if ((side >> from & 1) != (side >> to & 1)) {
              cut.add(link(from, to));
            }
          }
        }
      }
      case 4 ->
          nodes.forEach(node -> node.stoppedUntil = agenda.nowNanos + random.nextLong(100 * MILLI));
      case 6, 7 -> crash(one);
      case 8 -> IntStream.range(0, nodes.size()).forEach(this::crash);
      default -> cut.clear();
    }
  }

  private int anyMember() {
    return members.get(random.nextInt(members.size())).intValue();
  }

  /** Members come and go, and one is killed and succeeded by one that has no memory. */
  private void changeLater() {
    agenda.at(
        agenda.nowNanos + random.nextLong((wild ? 100 : 1_500) * MILLI),
        () -> {
          if (agenda.nowNanos < FAULTS_UNTIL) {
            if (wild) {
              changeAtSome();
            } else if (isSettled()) {
              change();
            }
          }
          if (!wild || agenda.nowNanos >= FAULTS_UNTIL) {
            tellMembers();
          }
          changeLater();
        });
  }

  private boolean isSettled() {
    return members.stream()
        .map(member -> nodes.get(member.intValue()).machine)
        .allMatch(machine -> Set.copyOf(machine.members()).equals(Set.copyOf(members)));
  }

  private void change() {
    boolean joins = members.size() < 5 && random.nextBoolean();
    boolean leaves = members.size() > 2 && random.nextBoolean();
    members = new ArrayList<>(members);
    if (leaves) {
      int gone = anyMember();
      nodes.get(gone).isDead = random.nextInt(3) > 0;
      members.remove((Object) (long) gone);
    }
    if (joins) {
      members.add((long) nodes.size());
      start(List.of());
    }
  }

  /** Some are told of others than others. */
  private void changeAtSome() {
    if (nodes.size() < 6 && random.nextInt(10) == 0) {
      start(List.of());
    }
    members = new ArrayList<>();
    while (members.isEmpty()) {
      for (long id = 0; id < nodes.size(); id++) {
        if (random.nextInt(3) > 0) {
          members.add(id);
        }
      }
    }
    for (int index = 0; index < nodes.size(); index++) {
      if (random.nextBoolean()) {
        step(index, new Event.Change(agenda.nowNanos, new SlotEntry.Members(members), gone()));
      }
    }
  }

  private void tellMembers() {
    for (int index = 0; index < nodes.size(); index++) {
      step(index, new Event.Change(agenda.nowNanos, new SlotEntry.Members(members), gone()));
    }
  }

  /** Those who seem to be, of whom some are not if members change as they like. */
  private List<Long> gone() {
    boolean errs = wild && agenda.nowNanos < FAULTS_UNTIL;
    return LongStream.range(0, nodes.size())
        .filter(id -> nodes.get((int) id).isDead || (errs && random.nextInt(4) == 0))
        .boxed()
        .toList();
  }

  private int link(int from, int to) {
    return from * 1_000 + to;
  }

  private void step(int index, Event event) {
    Node node = nodes.get(index);
    if (node.isDead || node.isDown) {
      return;
    }
    if (node.stoppedUntil > agenda.nowNanos) {
      agenda.at(node.stoppedUntil, () -> step(index, later(event)));
      return;
    }
    for (Effect effect : node.machine.step(event)) {
      switch (effect) {
        case Effect.Send(var to, var message) ->
            send(index, (int) to, (LogMessage.OfBallot) message);
        case Effect.Vow vow -> vow(index, vow);
        case Effect.Committed(var slot, var entry) -> commit(node, slot, entry);
        case Effect.Installed(var point) -> {
          node.log.clear();
          node.log.addAll(committed.subList(0, (int) point.slot()));
          node.disk.unstoredState = point;
          installed++;
        }
      }
    }
    node.machine.checkInvariants();
    serves(node);
    if (shortens && random.nextInt(50) == 0) {
      shorten(node.machine);
    }
    if (stores && random.nextInt(100) == 0 && !node.log.isEmpty()) {
      long slot = node.log.size();
      node.disk.state = new LogPoint(slot, membersAt(slot), 0, 0, 0); // A checkpoint.
    }
    takeState(node);
    tickLater(index);
  }

  private void shorten(Consensus machine) {
    long start = machine.start();
    if (machine.committed() > start + 1 && !machine.isGivingState()) {
      machine.dropBelow(start + 1 + random.nextLong(machine.committed() - start));
    }
  }

  /** It takes the state from the leader that it follows, if that one still has it. */
  private void takeState(Node node) {
    long slot = node.machine.takesStateAt();
    if (slot >= 0 && slot != node.taking) {
      node.taking = slot;
      int giver = (int) node.machine.ballot().replica();
      agenda.at(
          agenda.nowNanos + random.nextLong(100 * MILLI),
          () -> {
            node.taking = -1;
            if (!nodes.get(giver).isDead && nodes.get(giver).machine.start() == slot) {
              node.machine.stateIsHere(new LogPoint(slot, membersAt(slot), 0, 0, 0));
            }
          });
    }
  }

  private List<Long> membersAt(long slot) {
    for (int each = (int) slot - 1; each >= 0; each--) {
      if (committed.get(each) instanceof SlotEntry.Members(var these)) {
        return these;
      }
    }
    throw new AssertionError("no members before slot " + slot);
  }

  private Event later(Event event) {
    return switch (event) {
      case Event.Tick tick -> new Event.Tick(agenda.nowNanos);
      case Event.Received(var then, var from, var message) ->
          new Event.Received(agenda.nowNanos, from, message);
      case Event.Founded founded -> founded;
      case Event.Change(var then, var wanted, var gone) ->
          new Event.Change(agenda.nowNanos, wanted, gone);
      case Event.Propose(var then, var entry) -> new Event.Propose(agenda.nowNanos, entry);
    };
  }

  private void send(int from, int to, LogMessage.OfBallot message) {
    boolean isHealed = agenda.nowNanos >= FAULTS_UNTIL;
    int copies = !isHealed && random.nextInt(100) < lossPercent ? random.nextInt(3) : 1;
    int slowest = isHealed ? Math.min(slowestMicros, HEALED_SLOWEST_MICROS) : slowestMicros;
    for (int copy = 0; copy < copies; copy++) {
      long arrival = agenda.nowNanos + random.nextLong(slowest) * 1_000;
      if (random.nextInt(10) > 0) { // Else it overtakes others.
        arrival = Math.max(arrival, arrivals.getOrDefault(link(from, to), 0L));
        arrivals.put(link(from, to), arrival);
      }
      agenda.at(
          arrival,
          () -> {
            if (!cut.contains(link(from, to))) {
              step(to, new Event.Received(agenda.nowNanos, from, message));
            }
          });
    }
  }

  private void commit(Node node, long slot, SlotEntry entry) {
    assertThat(slot).isEqualTo(node.log.size());
    node.log.add(entry);
    if (slot == committed.size()) {
      committed.add(entry);
    }
    assertThat(entry).describedAs("slot %d", slot).isEqualTo(committed.get((int) slot));
  }

  /** Whoever serves has all that was committed before it began, and nobody else serves by then. */
  private void serves(Node node) {
    if (node.machine.serves() && servedBy.isBelow(node.machine.ballot())) {
      servedBy = node.machine.ballot();
      servedWith = committed.size();
      assertThat(node.machine.committed()).isGreaterThanOrEqualTo(servedWith);
    }
  }
}

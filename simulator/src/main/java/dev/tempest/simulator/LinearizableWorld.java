package dev.tempest.simulator;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.protocol.order.Replica;
import dev.tempest.protocol.order.log.ReplicaByConsensus;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.simulator.Deed.Kind;
import dev.tempest.simulator.Report.Counts;
import dev.tempest.simulator.ThreadAction.End;
import dev.tempest.wire.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Processes whose threads use a map and a deque that a group agrees on. What they were told has to
 * be linearizable, each element is handed out once, and none is lost; in the end all have the same,
 * and threads of each process are answered.
 */
final class LinearizableWorld extends ConsensusWorld {
  private static final long LONGER_NANOS = 3_000_000_000L;
  private static final List<String> KEYS = List.of("a", "b", "c", "d");

  /** With less, whoever comes back without memory may need longer than there is. */
  private static final int BATCH_MIN = 5;

  /** With less, all that is written while a slow disk syncs once is dropped before it is there. */
  private static final int LOG_MIN_BYTES = 8_000;

  private static final int LOOK_PERCENT = 25;
  private static final int LOCAL_PERCENT = 30;

  /** Apart from all else, and so that seeds that kill mutants keep their worlds. */
  private static final long LOCAL_DRAW = 5;

  private static final int DEEDS_MAX = 3;

  private final Map<Integer, ActingProcess> processes = new TreeMap<>();
  private final ActionHistory history = new ActionHistory();
  private final UnaryOperator<Replica> tampering;

  private final ConsensusLimits limits;

  /** Whether one action may concern several keys, and the deque. */
  private final boolean mixes;

  private long lastTag;

  /**
   * Draws one.
   *
   * @param listener is handed every line of the trace; null for none
   */
  LinearizableWorld(long seed, @Nullable Consumer<String> listener) {
    this(seed, replica -> replica, listener);
  }

  /** One whose replicas are in the hands of somebody who tampers with them. */
  LinearizableWorld(
      long seed, UnaryOperator<Replica> tampering, @Nullable Consumer<String> listener) {
    super(seed, random -> drawOrder(seed, random), listener);
    this.tampering = tampering;
    this.mixes = random().chance(40);
    this.limits = drawServers(BATCH_MIN, LOG_MIN_BYTES);
  }

  private static Order.ByConsensus drawOrder(long seed, Randomness random) {
    boolean isLocal = new Randomness(Randomness.mix(seed + LOCAL_DRAW)).chance(LOCAL_PERCENT);
    Reads reads = isLocal ? Reads.LOCAL : Reads.LINEARIZABLE;
    return new Order.ByConsensus(Executes.LEADER, reads, ConsensusDisk.drawLog(random));
  }

  ConsensusLimits limits() {
    return limits;
  }

  /** Each process has to come on: the last may have started when all was well. */
  @Override
  long longerNanos() {
    return LONGER_NANOS;
  }

  @Override
  ServiceInstance service(ConsensusServer server) {
    ActingProcess process = new ActingProcess(this, server, random().split());
    processes.put(server.place(), process);
    return process.instance();
  }

  @Override
  Replica machine(ConsensusServer server, ReplicaByConsensus replica) {
    return tampering.apply(replica);
  }

  /** Whether it has not been succeeded, and runs. */
  boolean lives(ActingProcess process) {
    return servers().stream()
        .anyMatch(server -> server.runs() && processes.get(server.place()) == process);
  }

  @Override
  void perform(ConsensusServer server, Effect effect) {
    if (!(effect instanceof Effect.Decided decided)) {
      throw new Violation.Found(
          new Violation(Violation.Kind.THREW, server.name() + " wants " + effect));
    }
    process(server).decided(decided);
  }

  private ActingProcess process(ConsensusServer server) {
    return Objects.requireNonNull(processes.get(server.place()));
  }

  @Override
  void received(int client, int from, Message message) {
    throw new IllegalStateException("there is nobody but processes");
  }

  /** Threads begin with their processes. */
  @Override
  void begin() {}

  /** What a thread does next. */
  ThreadAction next(String thread, boolean onlyReads) {
    boolean looks = onlyReads || random().chance(LOOK_PERCENT);
    List<Deed> deeds = new ArrayList<>();
    String key = random().pick(KEYS);
    boolean isOfDeque = random().chance(40);
    for (int left = random().chance(30) ? random().between(2, DEEDS_MAX) : 1; left > 0; left--) {
      if (mixes) {
        key = random().pick(KEYS);
        isOfDeque = random().chance(40);
      }
      Kind kind = looks ? (isOfDeque ? Kind.PEEK : Kind.GET) : kind(isOfDeque);
      deeds.add(new Deed(kind, key, ++lastTag));
    }
    boolean isInAction = !looks || random().chance(25);
    ThreadAction action = new ThreadAction(thread, deeds, !isInAction, nowNanos());
    history.add(action);
    return action;
  }

  private Kind kind(boolean isOfDeque) {
    if (!isOfDeque) {
      return random()
          .pick(
              List.of(
                  Kind.GET,
                  Kind.PUT,
                  Kind.PUT_IF_ABSENT,
                  Kind.MERGE,
                  Kind.MERGE,
                  Kind.COMPUTE,
                  Kind.COMPUTE,
                  Kind.REMOVE));
    }
    if (mixes && random().chance(15)) {
      return Kind.MOVE;
    }
    return random()
        .pick(
            List.of(
                Kind.PEEK,
                Kind.ADD_FIRST,
                Kind.ADD_LAST,
                Kind.ADD_LAST,
                Kind.POLL_FIRST,
                Kind.POLL_FIRST,
                Kind.POLL_LAST));
  }

  /** A thread was told what became of what it did. */
  void told(ConsensusServer server, ThreadAction action) {
    trace(server.name(), action.fromNanos, action::toString);
  }

  @Override
  List<Violation> violations() {
    List<Violation> found = new ArrayList<>();
    for (ConsensusServer server : servers()) {
      long answered = history.answered(server.name() + ".", PROGRESS_FROM_NANOS);
      found.addAll(stuck(server.name(), answered, 1));
    }
    found.addAll(diverged());
    found.addAll(different());
    process(servers().getFirst()).last(KEYS).forEach(history::add);
    found.addAll(history.wrong());
    return found;
  }

  /** All have the same in the end: they have had the time to get it. */
  private List<Violation> different() {
    Map<String, List<String>> having = new LinkedHashMap<>();
    for (ConsensusServer server : servers()) {
      Object contents = server.service().contents(server.machine().version());
      having.computeIfAbsent(contents.toString(), none -> new ArrayList<>()).add(server.name());
    }
    return having.size() == 1
        ? List.of()
        : List.of(
            new Violation(Violation.Kind.DIVERGED, "processes have different contents: " + having));
  }

  @Override
  int clients() {
    return 0;
  }

  @Override
  Counts counts() {
    List<ThreadAction> all = history.all();
    long reads = all.stream().filter(ThreadAction::onlyReads).count();
    return counts(
        size(),
        0,
        reads,
        all.size() - reads,
        all.stream().filter(each -> each.end() == End.UNKNOWN).count(),
        all.stream().filter(each -> each.end() == End.COUNTS && !each.onlyReads()).count(),
        history.undecided());
  }
}

package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.frontend.Requests;
import dev.tempest.protocol.membership.MemberSettings;
import dev.tempest.protocol.order.time.Reconcile;
import dev.tempest.protocol.order.time.ReplicaSettings;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** All processes of a world and what lies between them: mechanics only, nothing goes wrong here. */
final class Cluster {
  /** The machines that run in it. */
  record Machines(ReplicaMachine.Factory replicas, FrontEndMachine.Factory frontEnds) {
    static Machines production() {
      return new Machines(new ReplicaMachine.ProductionFactory(), FrontEndMachine::production);
    }
  }

  private static final long SERVICE = NameHash.of("simulated");
  private static final long CLUSTER = NameHash.of("simulation");
  private static final int DAY_MILLIS = 24 * 3_600_000;
  private static final int DATAGRAM_MAX_BYTES = 60_000;
  private static final int FRAME_MAX_BYTES = 64 << 20;

  /** Thousands of times what any run takes: a machine that never rests is found here. */
  private static final long STEPS_MAX = 5_000_000;

  /** A replica says what it gives up after ten rounds at most, of which the first begins late. */
  private static final int SAID_WITHIN_ROUNDS = 12;

  private final Parameters parameters;
  private final Workload workload;
  private final Randomness random;
  private final Agenda agenda;
  private final Trace trace;
  private final Names names;
  private final Network network;
  private final History history = new History();
  private final AcrossReplicas acrossReplicas = new AcrossReplicas(this);
  private final AckedWrites ackedWrites = new AckedWrites(this);
  private final CloseBehind closeBehind;
  private final Handles handles = new Handles(this);
  private final Removals removals = new Removals(this);
  private final LimitsMet limitsMet = new LimitsMet(this);
  private final List<Long> replicaIds;
  private final List<ReplicaProcess> replicas = new ArrayList<>();
  private final List<ReplicaDisk> disks = new ArrayList<>();
  private final List<FrontEndProcess> frontEnds = new ArrayList<>();
  private final List<SimChain> chains = new ArrayList<>();
  private final ByteWriter writer = new ByteWriter(FRAME_MAX_BYTES);
  private final Copies copies = new Copies(this);
  private Shedding shedding = Shedding.none();
  private boolean findEachOther;
  private long tickets;
  private long steps;

  Cluster(
      Parameters parameters,
      Workload workload,
      Randomness random,
      Agenda agenda,
      Trace trace,
      Machines machines) {
    this.parameters = parameters;
    this.workload = workload;
    this.random = random;
    this.agenda = agenda;
    this.trace = trace;
    this.names = new Names(workload::describe);
    this.closeBehind = new CloseBehind(this);
    int nodes = parameters.replicas() + parameters.frontEnds();
    this.network =
        new Network(agenda, random.split(), nodes, parameters.network(), this::frameArrived);
    this.replicaIds = LongStream.rangeClosed(1, parameters.replicas()).boxed().toList();
    int usualMillis = parameters.clockOffsetMaxMillis();
    for (int i = 0; i < parameters.replicas(); i++) {
      replicas.add(
          new ReplicaProcess(
              this, i, newClock(usualMillis), parameters.stepNanos(), machines.replicas()));
    }
    for (int i = 0; i < parameters.frontEnds(); i++) {
      frontEnds.add(
          new FrontEndProcess(
              this,
              parameters.replicas() + i,
              "f" + (i + 1),
              newClock(parameters.frontEndsFarAhead() ? DAY_MILLIS : usualMillis),
              parameters.stepNanos(),
              machines.frontEnds()));
    }
  }

  private SimClock newClock(int aheadMaxMillis) {
    int behindMaxMillis = parameters.clockOffsetMaxMillis();
    long offsetMillis = random.between(-behindMaxMillis, aheadMaxMillis);
    return new SimClock(
        offsetMillis * 1_000_000,
        random.between(-parameters.clockDriftMaxPpm(), parameters.clockDriftMaxPpm()));
  }

  /** From now on processes find each other by themselves. */
  void findEachOther(MemberSettings settings) {
    findEachOther = true;
    replicas.forEach(replica -> replica.joins(settings));
  }

  /** Whether they do. */
  boolean findEachOther() {
    return findEachOther;
  }

  /** From now on servers may have no room for updates. */
  void sheds(Shedding sheds) {
    shedding = sheds;
  }

  Shedding shedding() {
    return shedding;
  }

  /** What becomes of a message that arrives at a replica. */
  Event arrived(ReplicaProcess at, long clockNanos, int from, Message message) {
    return shedding.arrived(at.index, nowNanos(), clockNanos, new SimAddress(from), message);
  }

  Copies copies() {
    return copies;
  }

  /** Whether replicas come and go, each with an id of its own; else who is there is known. */
  boolean viewsChange() {
    return workload.writes() || findEachOther;
  }

  /** Whether some may have settled what others lack. */
  boolean mayHaveGrownApart() {
    return viewsChange() && !(parameters.staysExact() && !history.hasBegunApart());
  }

  /**
   * Whether replicas remember enough to count exactly even if some have settled apart. One whose
   * clock has leapt for longer than they remember is as one that was away for as long.
   */
  boolean countsExactly() {
    return history.losses() == 0
        && !history.hasBegunApart()
        && parameters.remembersEnough()
        && !hasLeaptApart();
  }

  private boolean hasLeaptApart() {
    boolean leaptTooFar = history.longestLeapMillis() >= parameters.memory().atLeastMillis();
    return leaptTooFar && history.hasSettledApart();
  }

  /** Whether some of that may be forgotten when they meet again. */
  boolean mayHaveForgottenApart() {
    boolean remembers = // Beyond its history a replica tells itself from a copy by nothing.
        history.hasCopies() ? parameters.remembersAll() : parameters.remembersEnough();
    return mayHaveGrownApart() && (!remembers || hasLeaptApart());
  }

  /** The settings of a replica's next life. */
  ReplicaSettings settings(int replica) {
    SortedMap<Long, Address> view = new TreeMap<>();
    long self = viewsChange() ? copies.nextId() : replicaIds.get(replica);
    view.put(self, new SimAddress(replica));
    for (int i = 0; i < replicaIds.size() && !viewsChange(); i++) {
      view.put(replicaIds.get(i), new SimAddress(i));
    }
    return new ReplicaSettings(
        SERVICE,
        self,
        Collections.unmodifiableSortedMap(view),
        new ReplicaSettings.Timing(
            parameters.gossipIntervalMillis(),
            idleGossipMillis(),
            parameters.epochs(),
            parameters.reunionMillis()),
        parameters.limits(),
        new ReplicaSettings.Policy(
            parameters.adopts() ? Reconcile.ADOPT : Reconcile.MERGE, workload.executesAny()));
  }

  Parameters parameters() {
    return parameters;
  }

  Workload workload() {
    return workload;
  }

  Randomness random() {
    return random;
  }

  Network network() {
    return network;
  }

  History history() {
    return history;
  }

  AcrossReplicas acrossReplicas() {
    return acrossReplicas;
  }

  AckedWrites ackedWrites() {
    return ackedWrites;
  }

  CloseBehind closeBehind() {
    return closeBehind;
  }

  Handles handles() {
    return handles;
  }

  /** Throws if a replica has another state than its entries give, or one that was removed. */
  void compareStates() {
    replicas.forEach(ReplicaProcess::compareWithReference);
    removals.look();
  }

  /** None has its memory any more. */
  void allHaveLost() {
    handles.forget();
    removals.forget();
  }

  LimitsMet limitsMet() {
    return limitsMet;
  }

  Names names() {
    return names;
  }

  long service() {
    return SERVICE;
  }

  /** The ids of the replicas where they are known, in the order of their nodes. */
  List<Long> replicaIds() {
    return replicaIds;
  }

  List<ReplicaProcess> replicas() {
    return replicas;
  }

  /** Where replicas write checkpoints. */
  List<ReplicaDisk> disks() {
    return disks;
  }

  /** One more causal chain. */
  SimChain newChain() {
    SimChain chain = new SimChain();
    chains.add(chain);
    return chain;
  }

  List<SimChain> chains() {
    return chains;
  }

  List<FrontEndProcess> frontEnds() {
    return frontEnds;
  }

  /** A process by its node. */
  SimProcess process(int node) {
    return node < replicas.size() ? replicas.get(node) : frontEnds.get(node - replicas.size());
  }

  int nodes() {
    return replicas.size() + frontEnds.size();
  }

  String nameOf(int node) {
    return process(node).name;
  }

  long nowNanos() {
    return agenda.nowNanos();
  }

  void at(long nanos, Runnable action) {
    agenda.at(nanos, action);
  }

  /**
   * Time passes until all replicas have said what they gave up for a state that they took just now.
   * What is missing then, and none has given up, is lost.
   */
  void runUntilGivenUpIsSaid() {
    runMillis((long) SAID_WITHIN_ROUNDS * idleGossipMillis());
  }

  private int idleGossipMillis() {
    return (workload.writes() ? 5 : 1) * parameters.gossipIntervalMillis();
  }

  void runMillis(long millis) {
    agenda.runUntil(agenda.nowNanos() + millis * 1_000_000);
  }

  long nextTicket() {
    return ++tickets;
  }

  void countStep() {
    if (++steps > STEPS_MAX) {
      throw new Violation.Found(
          new Violation(
              Violation.Kind.STUCK, "no rest after " + STEPS_MAX + " steps: a machine runs away"));
    }
  }

  void trace(String node, String text) {
    trace.add(node, text);
  }

  void traceStep(String node, SimProcess.Input input, SimProcess.Outbox outbox) {
    switch (input) {
      case SimProcess.Input.Arrived(int from, Message message) ->
          trace.add(
              node,
              from,
              () -> "from " + nameOf(from) + ": " + names.message(message) + outbox.describe());
      case SimProcess.Input.Told(SortedMap<Long, Address> view) ->
          trace.add(
              node, view.hashCode(), () -> "told " + names.view(view.keySet()) + outbox.describe());
      case SimProcess.Input.Writes(int acks, long patienceMillis) ->
          trace.add(node, 0x3717E, () -> acks > 1 ? "writes for " + acks : "writes");
      case SimProcess.Input.EndsWait(long ticket) ->
          trace.add(node, 0xE2D3, () -> "ends ticket " + ticket);
      case SimProcess.Input.TimerFired() ->
          trace.add(node, 0x71C4, () -> "timer" + outbox.describe());
      case SimProcess.Input.Submitted(Operation operation) ->
          trace.add(
              node,
              operation.ticket,
              () -> "asks " + names.call(operation.invocation.call()) + outbox.describe());
    }
  }

  void traceEnd(String node, Operation operation) {
    trace.add(
        node,
        operation.ticket,
        () ->
            names.call(operation.invocation.call())
                + " ended: "
                + names.completion(operation.completion()));
  }

  /** Encodes and sends, by stream if the messages demand one. */
  void send(SimProcess from, int to, List<Message> messages) {
    writer.reset();
    FrameCodec.begin(writer, CLUSTER, from.senderId());
    messages.forEach(message -> FrameCodec.add(writer, message));
    FrameCodec.end(writer);
    byte[] frame = Arrays.copyOf(writer.array(), writer.size());
    trace.mix(Arrays.hashCode(frame));
    boolean large =
        frame.length > DATAGRAM_MAX_BYTES
            || messages.stream().anyMatch(Message.StatePiece.class::isInstance);
    if (large) {
      network.stream(from.index, to, frame);
    } else {
      network.datagram(from.index, to, frame);
    }
  }

  /** How much happened so far. */
  Report.Counts counts() {
    Network.Counts datagrams = network.counts();
    long updates = history.updates().size();
    return new Report.Counts(
        replicas.size(),
        frontEnds.size(),
        steps,
        nowNanos() / 1_000_000,
        updates,
        history.operations().size() - updates,
        history.writes().size(),
        history.operations().stream()
            .filter(operation -> operation.completion() instanceof Requests.Completion.Unknown)
            .count(),
        datagrams.sent(),
        datagrams.lost(),
        datagrams.damaged(),
        history.losses(),
        replicas.stream().mapToLong(ReplicaProcess::rerun).sum(),
        replicas.stream().mapToLong(ReplicaProcess::repaired).sum(),
        history.updates().stream().filter(Operation::isAcknowledged).count(),
        history.updates().stream().filter(this::isGivenUp).count(),
        0,
        trace.hash());
  }

  /** Whether somebody was told that it is executed, and it is not, without any excuse. */
  private boolean isGivenUp(Operation update) {
    return update.isAcknowledged()
        && !update.executors.stream().allMatch(history::isLost)
        && !replicas.stream().allMatch(replica -> replica.mayHaveExecuted(update));
  }

  private void frameArrived(int from, int to, byte[] bytes, boolean damaged, boolean stream) {
    for (Message message : Frames.read(bytes, damaged)) {
      process(to).arrived(from, message, stream);
    }
  }
}

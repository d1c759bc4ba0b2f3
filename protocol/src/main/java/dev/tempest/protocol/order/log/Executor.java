package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Answers;
import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.Mix;
import dev.tempest.protocol.order.Applied;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Executed;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who leads executes, the others apply what it wrote (Zhang, chapter VI: the basic protocol). The
 * leader goes ahead of the agreement: each update runs on what all before it gave, committed or
 * not, and is answered once it is committed. What another leader does not take over was never
 * answered, and is dropped.
 *
 * <p>So a service need not be deterministic: nothing runs twice.
 */
final class ByLeader {
  /** A leader's execution whose entry is on its way. */
  private record Ahead(Version after, long sizeBytes) {}

  private final ServiceInstance service;
  private final ClientTable.Bounds bounds;
  private final long aheadMaxBytes;
  private final ByteWriter writer = new ByteWriter(Executed.WRITES_MAX_BYTES);
  private final long execution;

  /** In the order of the log. */
  private final LinkedHashMap<RequestId, Ahead> ahead = new LinkedHashMap<>();

  private long aheadBytes;

  /** After all that is ahead. */
  private Version newest;

  private long newestMillis;
  private LogState state;

  /** The table in the making, of the entries of this step. */
  private ClientTable.@Nullable Edit clients;

  /**
   * Without any state.
   *
   * @param execution names this incarnation
   * @param aheadMaxBytes what may wait for agreement
   */
  ByLeader(ServiceInstance service, ClientTable.Bounds bounds, long aheadMaxBytes, long execution) {
    this.service = service;
    this.bounds = bounds;
    this.aheadMaxBytes = aheadMaxBytes;
    this.execution = execution;
    this.newest = service.emptyVersion();
    this.state =
        new LogState(new LogPoint(0, List.of(), 0, 0, 0), new Applied(newest, ClientTable.EMPTY));
  }

  /** What is committed has led to this. */
  LogState state() {
    return state;
  }

  boolean isFull() {
    return aheadBytes > aheadMaxBytes;
  }

  /** How many wait for agreement. */
  int waiting() {
    return ahead.size();
  }

  /** Whether it was executed here and is not committed yet. */
  boolean isAhead(RequestId id) {
    return ahead.containsKey(id);
  }

  /** The answer to an update that is committed; null if it is not. */
  @Nullable Answer answer(RequestId id) {
    ClientTable table = state.applied().clients();
    if (!table.contains(id)) {
      return null;
    }
    Answer answer = table.answer(id);
    return answer != null
        ? answer
        : new Answer.Refused(
            Reason.RESULT_FORGOTTEN, "executed before, and its answer is not kept any more");
  }

  /**
   * Executes an update on what all before it gave.
   *
   * @param entry is handed what is to be proposed
   * @return why it cannot be executed; null if it was
   */
  @Nullable Answer execute(Update update, long nowMillis, Proposer entry) {
    long millis = Math.max(nowMillis, newestMillis);
    Version before = service.expire(newest, millis);
    RequestId id = update.id();
    Execution made =
        service.execute(
            before,
            update.call().method(),
            update.call().arguments(),
            millis,
            Mix.hash(id),
            writer);
    Answer answer = Answers.of(made.result());
    if (answer instanceof Answer.Refused) {
      return answer;
    }
    var proposed =
        new SlotEntry.Proposed(
            id, millis, update.answeredBelow(), new Executed(execution, writer.toBytes(), answer));
    Ahead next = new Ahead(made.after(), proposed.sizeBytes());
    ahead.put(id, next);
    aheadBytes += next.sizeBytes();
    newest = made.after();
    newestMillis = millis;
    entry.propose(proposed);
    return null;
  }

  /** To whom an execution is handed. */
  interface Proposer {
    void propose(SlotEntry entry);
  }

  /** The time that should be in the log, if something has expired by now; else -1. */
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  long expiredMillis(long nowMillis) {
    long millis = Math.max(nowMillis, newestMillis);
    if (!ahead.isEmpty() || service.expire(newest, millis) == newest) {
      return -1;
    }
    return millis;
  }

  /** It leads no more: what it went ahead with counts only if another one took it over. */
  void fallBack() {
    ahead.clear();
    aheadBytes = 0;
    newest = state.applied().version();
    newestMillis = state.point().millis();
  }

  /**
   * An entry is committed, the next one.
   *
   * @throws IllegalStateException if it cannot be applied here: no replica may go on without it
   */
  void commit(long slot, SlotEntry entry) {
    LogPoint point = state.point();
    List<Long> members = point.members();
    Invariant.check(slot == point.slot(), "entries come in order");
    Version version = state.applied().version();
    long millis = point.millis();
    long executed = point.executed();
    long hash = point.hash();
    switch (entry) {
      case SlotEntry.Begun begun -> {}
      case SlotEntry.Members(var changed) -> members = changed;
      case SlotEntry.Passed(long now) -> {
        millis = Math.max(millis, now);
        version = service.expire(version, millis);
      }
      case SlotEntry.Proposed proposed -> {
        millis = Math.max(millis, proposed.millis());
        version = after(service.expire(version, millis), proposed);
        record(proposed);
        executed++;
        hash += Mix.mix(Mix.hash(proposed.id()) + slot);
      }
    }
    state =
        new LogState(
            new LogPoint(slot + 1, members, millis, executed, hash),
            new Applied(version, state.applied().clients()));
    if (ahead.isEmpty()) {
      newest = version;
      newestMillis = millis;
    }
  }

  private Version after(Version before, SlotEntry.Proposed proposed) {
    Ahead own = ahead.remove(proposed.id());
    if (own != null) {
      aheadBytes -= own.sizeBytes();
      return own.after();
    }
    if (!(proposed.body() instanceof Executed executed)) {
      throw new IllegalStateException(
          "an entry is to be executed by all, which this release cannot: run a later one here");
    }
    Execution applied = service.apply(before, executed.writes());
    if (!(applied.result() instanceof Result.Returned)) {
      throw new IllegalStateException("cannot apply what the leader wrote: " + applied.result());
    }
    return applied.after();
  }

  private void record(SlotEntry.Proposed proposed) {
    ClientTable.Edit edit = clients;
    if (edit == null) {
      edit = state.applied().clients().edit();
      clients = edit;
    }
    if (proposed.body() instanceof Executed executed) {
      edit.asked(proposed.id(), proposed.millis(), executed.answer(), proposed.answeredBelow());
    }
  }

  /** All entries of this step were handed over. */
  void committed() {
    ClientTable.Edit edit = clients;
    if (edit != null) {
      clients = null;
      ClientTable table = edit.done(state.point().millis() + 1, bounds);
      state = new LogState(state.point(), new Applied(state.applied().version(), table));
    }
  }

  /** Begins anew with the state of another one. */
  void install(LogState taken) {
    state = taken;
    clients = null;
    fallBack();
  }

  void checkInvariants() {
    Invariant.check(!ahead.isEmpty() || aheadBytes == 0, "nothing takes no room");
    Invariant.check(clients == null, "what is committed is in the table");
    state.applied().clients().checkInvariants();
  }
}

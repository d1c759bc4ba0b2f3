package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Answers;
import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.Mix;
import dev.tempest.protocol.order.Applied;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.UnreadableStateException;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.StableHash;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.Executed;
import dev.tempest.wire.LogMessage.Action;
import dev.tempest.wire.LogMessage.Asked;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who leads executes ahead of the agreement (Zhang, chapter VI: the basic protocol): each update
 * runs on what all before it gave, committed or not, and is answered once it is committed. What
 * another leader does not take over was never answered, and is dropped.
 *
 * <p>What the leader proposes is either what the update wrote, which the others apply: then a
 * service need not be deterministic, since nothing runs twice. Or it is the call, which all execute
 * once it is committed, each on the same state, at the same time and with the same random numbers.
 * Whoever comes to something else then, or cannot execute it, {@linkplain #deviation deviates}.
 */
final class Executor {
  /** An execution; that of a leader whose entry is on its way takes room. */
  private record Done(Version after, Answer answer, long sizeBytes) {}

  /** Actions on collections ask for none. */
  private static final Answer NOTHING = new Answer.Returned(Bytes.EMPTY);

  private final long self;
  private final ServiceInstance service;
  private final boolean executesAll;
  private final LogSettings.Limits limits;
  private final long aheadMaxBytes;
  private final ByteWriter writer = new ByteWriter(Executed.WRITES_MAX_BYTES);
  private final long execution;

  /** In the order of the log. */
  private final LinkedHashMap<RequestId, Done> ahead = new LinkedHashMap<>();

  private long aheadBytes;

  /** After all that is ahead. */
  private Version newest;

  private long newestMillis;
  private final LogTime time = new LogTime();
  private LogState state;

  private final RefusedUpdates refused;

  /** The table in the making, of the entries of this step. */
  private ClientTable.@Nullable Edit clients;

  /** Answers of the latest step that a full table does not keep: those who wait are told now. */
  private final Map<RequestId, Answer> passing = new LinkedHashMap<>();

  private @Nullable Deviation deviation;

  /**
   * Without any state.
   *
   * @param self this replica
   * @param executesAll whether it proposes calls, for all to execute
   * @param execution names this incarnation
   * @param aheadMaxBytes what may wait for agreement
   */
  Executor(
      long self,
      ServiceInstance service,
      boolean executesAll,
      LogSettings.Limits limits,
      long aheadMaxBytes,
      long execution) {
    this.self = self;
    this.service = service;
    this.executesAll = executesAll;
    this.limits = limits;
    this.aheadMaxBytes = aheadMaxBytes;
    this.execution = execution;
    this.refused = new RefusedUpdates(limits.stampBehindMaxMillis());
    this.newest = service.emptyVersion();
    this.state =
        new LogState(new LogPoint(0, List.of(), 0, 0, 0), new Applied(newest, ClientTable.EMPTY));
  }

  /** What is committed has led to this. */
  LogState state() {
    return state;
  }

  /** Why its state is not that to which the log leads; null if it is. */
  @Nullable Deviation deviation() {
    return deviation;
  }

  /** Nobody is left who knows better: what it has come to counts. */
  void insist() {
    Invariant.check(deviation == null || deviation.isExecuted(), "what counts was executed");
    deviation = null;
  }

  boolean isFull() {
    return aheadBytes > aheadMaxBytes;
  }

  /** Whether it was executed here and is not committed yet. */
  boolean isAhead(RequestId id) {
    return ahead.containsKey(id);
  }

  /** What an update has come to that was executed here and is not committed yet. */
  Answer answerAhead(RequestId id) {
    return Objects.requireNonNull(ahead.get(id)).answer();
  }

  /** The answer to an update that is committed; null if it is not. */
  @Nullable Answer answer(RequestId id) {
    ClientTable table = state.applied().clients();
    if (!table.contains(id)) {
      return null;
    }
    Answer answer = table.answer(id);
    if (answer == null) {
      answer = passing.get(id);
    }
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
    return executeAt(update, time.next(nowMillis, newestMillis), entry);
  }

  /**
   * The same by one of several who vote for it: at the time at which its client asked, so that all
   * come to the same.
   */
  @Nullable Answer vote(Update update, Proposer entry) {
    return executeAt(update, Math.max(newestMillis, Stamp.millis(Stamp.of(update.part()))), entry);
  }

  private @Nullable Answer executeAt(Update update, long millis, Proposer entry) {
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
    SlotEntry proposed = proposed(update, millis, answer, writer.toBytes());
    goAhead(id, made.after(), answer, millis, proposed);
    entry.propose(proposed);
    return null;
  }

  /**
   * Executes an update on a state of this process, while another one leads.
   *
   * @return null if it cannot be executed here
   */
  @Nullable Apart executeApart(Update update, Version on, long nowMillis) {
    return Apart.of(update, on, Math.max(nowMillis, state.point().millis()), service, writer);
  }

  /** Whether it was executed so long ago, maybe, that this is forgotten. */
  boolean mayHaveForgotten(RequestId id, long stamp) {
    long earliest = Math.max(0, Stamp.millis(stamp) - limits.stampAheadMaxMillis());
    return state.applied().clients().mayHaveForgotten(id.client(), earliest);
  }

  /**
   * Whether an update would count so long before its client asked for it, by that one's clock, that
   * a late copy would not be known again by its stamp.
   */
  boolean isTooEarlyFor(long stamp, long nowMillis) {
    return Stamp.millis(stamp) > time.next(nowMillis, newestMillis) + limits.stampAheadMaxMillis();
  }

  /**
   * Whether an update was asked for so long before what is committed that no leader executes it.
   */
  boolean isTooLateFor(long stamp) {
    return Stamp.millis(stamp) < state.point().millis() - limits.stampBehindMaxMillis();
  }

  /** An update is refused since this server is overloaded. */
  void refuses(long stamp, long nowMillis) {
    refused.add(Stamp.millis(stamp), nowMillis, newestMillis);
  }

  /** Whether an update of the client has room among what is remembered of clients. */
  boolean hasRoomFor(long client) {
    return state.applied().clients().hasRoomFor(client, limits.clients());
  }

  /**
   * Takes what another replica has executed on what all before it gave.
   *
   * @param below of all its earlier ones it is known whether they count
   * @param entry is handed what is to be proposed
   * @return why that cannot be applied; null if it was
   */
  @Nullable String offer(RequestId id, long below, Action action, long nowMillis, Proposer entry) {
    Asked asked = action.asked();
    Answer answer = asked == null ? NOTHING : asked.answer();
    Bytes change = action.change();
    long millis = time.next(nowMillis, newestMillis);
    Execution applied = service.apply(service.expire(newest, millis), change);
    if (!(applied.result() instanceof Result.Returned)) {
      return Answers.of(applied.result()) instanceof Answer.Refused(Reason reason, String detail)
          ? detail
          : String.valueOf(applied.result());
    }
    SlotEntry proposed =
        new SlotEntry.Proposed(id, millis, below, new Executed(execution, change, answer));
    goAhead(id, applied.after(), answer, millis, proposed);
    entry.propose(proposed);
    return null;
  }

  private void goAhead(
      RequestId id, Version after, Answer answer, long millis, SlotEntry proposed) {
    Done next = new Done(after, answer, proposed.sizeBytes());
    ahead.put(id, next);
    aheadBytes += next.sizeBytes();
    newest = after;
    newestMillis = millis;
  }

  private SlotEntry proposed(Update update, long millis, Answer answer, Bytes writes) {
    RequestId id = update.id();
    long below = update.answeredBelow();
    return executesAll
        ? new SlotEntry.Called(id, millis, below, update.call(), outcome(answer, writes))
        : new SlotEntry.Proposed(id, millis, below, new Executed(execution, writes, answer));
  }

  /** A hash of an execution. Texts of exceptions may differ: Java makes some of them. */
  private static long outcome(Answer answer, Bytes writes) {
    long answered =
        switch (answer) {
          case Answer.Returned(Bytes result) -> result.stableHash();
          case Answer.Threw(String className, String message) -> ~StableHash.ofName(className);
          case Answer.Refused refused -> 0;
        };
    return Mix.mix(writes.stableHash() + Mix.mix(answered));
  }

  /** To whom an execution is handed. */
  interface Proposer {
    void propose(SlotEntry entry);
  }

  /**
   * The time that should be in the log, if something has expired by now, clients can be forgotten
   * that leave others no room, or what was refused has become too late; else -1.
   */
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  long passedMillis(long nowMillis) {
    long millis = time.next(nowMillis, newestMillis);
    boolean hasPassed =
        deviation == null
            && ahead.isEmpty()
            && (service.expire(newest, millis) != newest
                || state.applied().clients().makesRoomBy(millis, limits.clients())
                || refused.areTooLateBy(millis, newestMillis));
    return hasPassed ? millis : -1;
  }

  /** It leads no more, or votes no more: what it went ahead with may come to nothing. */
  void fallBack() {
    ahead.clear();
    aheadBytes = 0;
    newest = state.applied().version();
    newestMillis = state.point().millis();
  }

  /**
   * An entry is committed, the next one.
   *
   * @throws UnreadableStateException if a newcomer declares something else than it holds
   * @throws IllegalStateException if it cannot be applied here: no replica may go on without it
   */
  void commit(long slot, SlotEntry entry) {
    if (deviation != null && !deviation.isExecuted()) {
      return; // It goes on once it has a state of that or a later slot.
    }
    LogPoint point = state.point();
    Invariant.check(slot == point.slot(), "entries come in order");
    Version version = state.applied().version();
    switch (entry) {
      case SlotEntry.Begun begun -> advance(version, point.members(), point.millis(), entry);
      case SlotEntry.Members(var changed) -> advance(version, changed, point.millis(), entry);
      case SlotEntry.Passed(long now) -> {
        long millis = Math.max(point.millis(), now);
        advance(service.expire(version, millis), point.members(), millis, entry);
        edit(); // Some clients may be forgotten by now.
      }
      case SlotEntry.Proposed proposed -> {
        long millis = Math.max(point.millis(), proposed.millis());
        Done done = applied(service.expire(version, millis), proposed);
        if (done != null) {
          record(proposed.id(), proposed.millis(), proposed.answeredBelow(), done.answer());
          advance(done.after(), point.members(), millis, entry);
        }
      }
      case SlotEntry.Called called -> {
        long millis = Math.max(point.millis(), called.millis());
        Done done = executed(service.expire(version, millis), called);
        if (done != null) {
          record(called.id(), called.millis(), called.answeredBelow(), done.answer());
          advance(done.after(), point.members(), millis, entry);
        }
      }
    }
  }

  /** To the next slot. */
  private void advance(Version after, List<Long> members, long millis, SlotEntry by) {
    LogPoint point = state.point();
    long slot = point.slot();
    state =
        new LogState(
            new LogPoint(
                slot + 1,
                members,
                millis,
                point.executed() + (by.id() == null ? 0 : 1),
                point.hash() + Log.hash(by, slot)),
            new Applied(after, state.applied().clients()));
    if (ahead.isEmpty()) {
      newest = after;
      newestMillis = millis;
    }
  }

  /** What was executed here ahead; null if it was not. */
  private @Nullable Done takeAhead(RequestId id) {
    Done own = ahead.remove(id);
    if (own != null) {
      aheadBytes -= own.sizeBytes();
    }
    return own;
  }

  /** Null if the code here declares something else than it holds, and the others need its vote. */
  private @Nullable Done applied(Version before, SlotEntry.Proposed proposed) {
    Done own = takeAhead(proposed.id());
    if (own != null) {
      return own;
    }
    if (!(proposed.body() instanceof Executed executed)) {
      throw new IllegalStateException("no leader has executed it: " + proposed.body());
    }
    Execution applied = service.apply(before, executed.writes());
    if (applied.result() instanceof Result.Unreadable(String why)) {
      if (!state.point().members().contains(self)) {
        throw new UnreadableStateException(why);
      }
      deviation = new Deviation(state.point().slot() + 1, why, false);
      return null;
    }
    if (!(applied.result() instanceof Result.Returned)) {
      throw new IllegalStateException("cannot apply what the leader wrote: " + applied.result());
    }
    return new Done(applied.after(), executed.answer(), 0);
  }

  /** Null if it cannot be executed here. */
  private @Nullable Done executed(Version before, SlotEntry.Called called) {
    Done own = takeAhead(called.id());
    if (own != null) {
      return own;
    }
    Call call = called.call();
    long seed = Mix.hash(called.id());
    Execution made =
        service.execute(before, call.method(), call.arguments(), called.millis(), seed, writer);
    Answer answer = Answers.of(made.result());
    if (answer instanceof Answer.Refused(var reason, String detail)) {
      deviation = new Deviation(state.point().slot() + 1, detail, false);
      return null;
    }
    if (deviation == null && outcome(answer, writer.toBytes()) != called.outcome()) {
      String method = service.nameOf(call.method());
      deviation = new Deviation(state.point().slot() + 1, method, true);
    }
    return new Done(made.after(), answer, 0);
  }

  private void record(RequestId id, long millis, long answeredBelow, Answer answer) {
    ClientTable.Edit edit = edit();
    if (service.isAsked()) {
      edit.asked(id, millis, answer, answeredBelow);
      if (state.applied().clients().isFull(limits.clients())) {
        passing.put(id, answer);
      }
    } else {
      edit.wrote(id, millis);
    }
    edit.ended(id.client(), answeredBelow);
  }

  private ClientTable.Edit edit() {
    ClientTable.Edit edit = clients;
    if (edit == null) {
      edit = state.applied().clients().edit();
      clients = edit;
      passing.clear();
    }
    return edit;
  }

  /** All entries of this step were handed over. */
  void committed() {
    ClientTable.Edit edit = clients;
    if (edit != null) {
      clients = null;
      ClientTable table = edit.done(state.point().millis() + 1, limits.clients());
      state = new LogState(state.point(), new Applied(state.applied().version(), table));
    }
  }

  /** The state has more collections than before. */
  void upgrade() {
    newest = service.upgrade(newest);
    ahead.replaceAll(
        (id, done) -> new Done(service.upgrade(done.after()), done.answer(), done.sizeBytes()));
    Applied applied = state.applied();
    state =
        new LogState(
            state.point(), new Applied(service.upgrade(applied.version()), applied.clients()));
  }

  /** Begins anew with the state of another one. */
  void install(LogState taken) {
    state = taken;
    clients = null;
    deviation = null;
    fallBack();
  }

  /** Goes on with the state of another one, and with what the log has from there on. */
  void repair(LogState taken, Agreement log) {
    install(taken);
    for (long slot = taken.point().slot(); slot < log.committed(); slot++) {
      commit(slot, log.get(slot));
    }
    committed();
  }

  void checkInvariants() {
    Invariant.check(!ahead.isEmpty() || aheadBytes == 0, "nothing takes no room");
    Invariant.check(clients == null, "what is committed is in the table");
    state.applied().clients().checkInvariants();
  }
}

package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Answers;
import dev.tempest.protocol.order.Applied;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.time.ReplicaSettings.Memory;
import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Executed;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The log of a replica: the settled version, and after it the unsettled entries in the order
 * (stamp, request), each with what its execution gave.
 *
 * <p>Guarantees that {@link #version} is the settled version plus the execution of all unsettled
 * entries in that order, however they arrived: an entry that comes late is inserted where it
 * belongs, and what depends on it runs again. Every request is in it at most once, at the lowest
 * stamp under which it was seen. Does not decide what may be inserted, nor when entries settle.
 */
final class Window {
  private final Replay replay;
  private final LongConsumer changed;
  private final LateEntries lateEntries;
  private final NavigableMap<Long, Epoch> epochs = new TreeMap<>();
  private final EntryIndex byId = new EntryIndex();
  private final History history;
  private final SettledClients settledClients;
  private Applied base;
  private Prefix settled = new Prefix(-1, 0, 0);
  private @Nullable LogEntry newest;

  /** From here on the entries have yet to run in their order. */
  private @Nullable Entry pendingFrom;

  /** The state after all entries, at the beginning of {@link #begunEpoch} if that comes later. */
  private Version current;

  /** In which epoch that is, if no entries have come since. */
  private long currentEpoch;

  /** That state is another one's, and what this process wrote has yet to run. */
  private boolean lacksOwn;

  /** The last epoch at whose beginning something was found to have expired. */
  private long begunEpoch;

  private long late;

  /** An empty one; {@code changed} is told of every epoch in which entries may come or go. */
  Window(ServiceInstance service, int epochMillis, Memory memory, LongConsumer changed) {
    this.replay = new Replay(service, epochMillis);
    this.settledClients = new SettledClients(memory.bounds(), epochMillis);
    this.history = new History(memory.epochs());
    this.changed = changed;
    this.lateEntries = new LateEntries(replay);
    this.base = new Applied(service.emptyVersion(), ClientTable.EMPTY);
    this.current = base.version();
  }

  /** Starts anew after a state that settled elsewhere. */
  void restart(Applied state, Prefix throughIt, List<Prefix> before) {
    epochs.clear();
    byId.clear();
    history.replace(before);
    base = state;
    settled = throughIt;
    newest = null;
    pendingFrom = null;
    lacksOwn = true;
    replay.restart();
    current = replay.begin(begunEpoch, base.version());
    currentEpoch = begunEpoch;
    changed.accept(0); // And so all that follow.
  }

  /** The state after all entries, without what has expired since. */
  Version version() {
    run();
    return current;
  }

  /** The same, but maybe without what others wrote and has come since that was last asked for. */
  Version latest() {
    return lacksOwn ? version() : current;
  }

  /** {@link Replay#cannot}: then entries are only kept, until a state comes that has those. */
  @Nullable String cannot() {
    return replay.cannot();
  }

  /** An epoch has begun, and maybe nothing is written in it: what has expired by then goes. */
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  void begin(long epoch) {
    run();
    if (newest != null && epoch <= epochOf(newest.entry)) {
      return; // It began with the first entry in it.
    }
    Version begun = replay.begin(epoch, current);
    if (begun != current) {
      begunEpoch = Math.max(begunEpoch, epoch);
      current = begun;
    }
  }

  /** The collections are others now: versions become theirs, and all entries run again. */
  void upgrade() {
    run();
    base = new Applied(replay.upgrade(base.version()), base.clients());
    current = // All runs again, if it can.
        cannot() == null ? replay.begin(begunEpoch, base.version()) : replay.upgrade(current);
    lacksOwn = true;
    if (!epochs.isEmpty()) {
      lateEntries.runAllAgain();
      pendingFrom = epochs.firstEntry().getValue().entries().getFirst().entry;
    }
  }

  /** The settled state. */
  Version base() {
    return base.version();
  }

  /** What is settled. */
  Prefix settled() {
    return settled;
  }

  /** What was settled at the end of earlier epochs. */
  History history() {
    return history;
  }

  /** Whose updates are settled. */
  ClientTable clients() {
    return base.clients();
  }

  NavigableMap<Long, Epoch> epochs() {
    return epochs;
  }

  int size() {
    return byId.size();
  }

  /** What the unsettled entries take in memory, about. */
  long sizeBytes() {
    return byId.sizeBytes();
  }

  /** The requests of the unsettled entries; for reading. */
  IdSet ids() {
    return byId.ids();
  }

  /** How many entries arrived after later ones. */
  long late() {
    return late;
  }

  /** How many entries were executed again because of those. */
  long rerun() {
    return lateEntries.rerun();
  }

  long epochOf(Entry entry) {
    return replay.epochOf(entry);
  }

  /** The stamp of the newest unsettled entry; 0 if there is none. */
  long newestStamp() {
    return newest == null ? 0 : newest.entry.stamp();
  }

  /** Whether an entry has come again so late that no replica may take it. */
  boolean isTooOld(Entry entry) {
    return settledClients.isTooOld(entry);
  }

  /** Whether the request has been executed, settled or not. */
  boolean contains(RequestId id) {
    return byId.get(id) != null || clients().contains(id);
  }

  /** The sum of everything through an epoch, which may not lie before the settled one. */
  Prefix through(long epoch) {
    Prefix sum = settled;
    for (Epoch each : epochs.headMap(epoch, true).values()) {
      sum = each.after(sum);
    }
    return new Prefix(epoch, sum.count(), sum.hash());
  }

  /** Whether the request is in the window and came late, so that its answer takes a run. */
  boolean hasYetToRun(RequestId id) {
    LogEntry entry = byId.get(id);
    return entry != null && entry.answer == null;
  }

  /**
   * The answer of a request when it last ran, which what has come late since may change; null if it
   * is not in the window.
   */
  @Nullable Answer answer(RequestId id) {
    LogEntry entry = byId.get(id);
    if (entry != null && entry.answer == null) {
      run();
    }
    return entry == null ? null : entry.answer;
  }

  /**
   * Takes a new request where its stamp says.
   *
   * @param answeredBelow its client has the answers to all its updates with lower sequences
   * @return how it ended, if it was executed at once; null if it will be when that is needed
   */
  @Nullable Answer take(Entry entry, long answeredBelow) {
    changed.accept(epochOf(entry));
    boolean inOrder = newest == null || newest.entry.compareTo(entry) < 0;
    if (!inOrder || epochOf(entry) < begunEpoch) {
      // Whether it can be executed at all does not depend on the version.
      Result probe = replay.trial(base.version(), entry).result();
      if (!Replay.isExecuted(probe)) {
        return Answers.of(probe);
      }
      insert(List.of(entry));
      Objects.requireNonNull(byId.get(entry.id())).answeredBelow = answeredBelow;
      return null;
    }
    beginLast(epochOf(entry));
    Execution execution = replay.trial(current, entry);
    Answer answer = Replay.answer(entry, execution.result());
    if (Replay.isExecuted(execution.result())) {
      append(entry, execution, answeredBelow);
    }
    return answer;
  }

  /** What has come late runs with others that will: each time takes long. */
  private void beginLast(long epoch) {
    if (pendingFrom == null || lacksOwn) {
      begin(epoch);
    } else if (epoch > currentEpoch) { // Once: what is written may have expired at its beginning.
      current = replay.begin(epoch, current);
    }
  }

  /**
   * Takes what this process wrote or executed, which is newer than all other entries.
   *
   * @param answeredBelow as in {@link #take}; 0 of what nobody asked for
   * @param before the version on which it was executed
   * @param after what it made of that: the version after it, if that is the version here as well
   */
  @SuppressWarnings("ReferenceEquality") // Equal contents would do as well, and cost more.
  void write(Entry entry, Version before, Version after, long answeredBelow) {
    changed.accept(epochOf(entry));
    beginLast(epochOf(entry));
    LogEntry appended = new LogEntry(entry);
    if (before == current) {
      appended.answer =
          entry.body() instanceof Executed executed ? executed.answer() : Replay.NO_ANSWER;
      appended.answeredBelow = answeredBelow;
      append(appended, after);
    } else {
      append(entry, replay.execution(current, entry), answeredBelow);
    }
  }

  /**
   * Takes entries that peers have executed; the ones already there stay unless they {@linkplain
   * LogEntry#givesWayTo give way}. They and what follows them run when that is needed, so that many
   * late entries cost no more than one.
   *
   * @return how many were not there under any stamp
   */
  int insert(List<Entry> entries) {
    int news = 0;
    List<Entry> commuting = new ArrayList<>();
    for (Entry entry : entries) {
      changed.accept(epochOf(entry));
      boolean mayCountTwice = clients().contains(entry.id()) || isTooOld(entry);
      if (mayCountTwice || epochOf(entry) <= settled.throughEpoch()) {
        continue;
      }
      LogEntry present = byId.get(entry.id());
      if (present == null) {
        news++;
        if (replay.isCommutative(entry)) {
          commuting.add(entry); // Once the others are there.
          continue;
        }
      } else if (!present.givesWayTo(entry)) {
        continue;
      } else {
        takeOut(present);
      }
      insert(entry);
    }
    commuting.sort(null);
    commuting.forEach(this::insertCommuting);
    return news;
  }

  /** Adds an entry that runs when that is needed. */
  private void insert(Entry entry) {
    if (pendingFrom == null || entry.compareTo(pendingFrom) < 0) {
      pendingFrom = entry;
    }
    place(entry);
  }

  private LogEntry place(Entry entry) {
    LogEntry inserted = new LogEntry(entry);
    byId.put(inserted);
    epochAt(epochOf(entry)).insert(inserted);
    if (newest != null && entry.compareTo(newest.entry) < 0) {
      late++;
    }
    newest = epochs.lastEntry().getValue().last();
    return inserted;
  }

  /** An entry that commutes with all others is applied where it arrives, if it comes late. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the one to be replaced.
  private void insertCommuting(Entry entry) {
    if (byId.get(entry.id()) != null) {
      return; // It was there twice, and the lower stamp came first.
    }
    if (newest == null
        || newest.entry.compareTo(entry) < 0
        || !LateEntries.canApplyTo(epochs.tailMap(epochOf(entry)))
        || !run()) {
      insert(entry);
      return;
    }
    boolean begunSince = current != newest.after;
    LogEntry inserted = place(entry);
    Execution last = lateEntries.apply(epochs, base.version(), inserted);
    Execution here = begunSince ? replay.execution(current, entry) : last;
    byId.grow(inserted.ran(here) + lateEntries.takeGrownBytes());
    current = here.after();
  }

  /** Folds the entries through an epoch into the settled version, if all could be executed. */
  void settle(long throughEpoch) {
    run();
    if (cannot() != null) {
      return;
    }
    NavigableMap<Long, Epoch> folded = epochs.headMap(throughEpoch, true);
    Version version = LateEntries.after(folded, base.version());
    Prefix sum = settled;
    for (Epoch epoch : folded.values()) {
      sum = epoch.after(sum);
      history.add(sum);
      byId.remove(epoch);
    }
    base =
        new Applied(
            replay.begin(throughEpoch + 1, version),
            settledClients.after(base.clients(), folded.values(), throughEpoch));
    settled = new Prefix(throughEpoch, sum.count(), sum.hash());
    folded.clear();
    if (epochs.isEmpty()) {
      newest = null;
      begin(throughEpoch + 1);
    }
  }

  /** The unsettled entry of a request, null if there is none. */
  @Nullable Entry find(RequestId id) {
    LogEntry entry = byId.get(id);
    return entry == null ? null : entry.entry;
  }

  /** The unsettled entries in order, as they are now: any thread may read them. */
  List<Entry> entries() {
    return EntryList.of(epochs.values(), byId.size());
  }

  /** Adds an entry that is newer than all others and has been executed on the current version. */
  private void append(Entry entry, Execution execution, long answeredBelow) {
    LogEntry appended = new LogEntry(entry);
    appended.answeredBelow = answeredBelow;
    appended.ran(execution);
    append(appended, execution.after());
  }

  private void append(LogEntry appended, Version after) {
    appended.after = after;
    int at = epochAt(epochOf(appended.entry)).insert(appended);
    byId.put(appended);
    if (newest != null && at > 0 && at % LateEntries.VERSION_EVERY != 0) {
      newest.after = null;
    }
    newest = appended;
    current = after;
    currentEpoch = epochOf(appended.entry);
  }

  private Epoch epochAt(long number) {
    Map.Entry<Long, Epoch> last = epochs.lastEntry();
    return last != null && last.getKey() == number
        ? last.getValue()
        : epochs.computeIfAbsent(number, Epoch::new);
  }

  /** Takes an entry out, whose request counts elsewhere or not at all; what follows runs again. */
  private void takeOut(LogEntry entry) {
    long number = epochOf(entry.entry);
    Epoch epoch = epochAt(number);
    epoch.remove(entry);
    if (entry.answer != null) {
      lateEntries.runAllAgain();
      lateEntries.countAgain();
    }
    if (epoch.size() == 0) {
      epochs.remove(number);
    }
  }

  /**
   * Gives entries up as if they had never come: what they overwrote is there again, and what they
   * removed; what followed them runs again when that is needed.
   *
   * @param ids of entries of which some may have settled meanwhile: those stay
   * @param before is handed each that is given up, before any is
   */
  void giveUp(IdSet ids, Consumer<RequestId> before) {
    List<LogEntry> given = new ArrayList<>();
    ids.forEachWhile(id -> {
      LogEntry entry = byId.get(id);
      return entry == null || given.add(entry);
    });
    if (given.isEmpty()) {
      return;
    }
    run();
    given.forEach(each -> before.accept(each.entry.id()));
    for (LogEntry each : given) {
      takeOut(each);
      byId.remove(each.entry.id());
      if (pendingFrom == null || each.entry.compareTo(pendingFrom) < 0) {
        pendingFrom = each.entry;
      }
    }
    changed.accept(epochOf(Objects.requireNonNull(pendingFrom)));
    if (epochs.isEmpty()) {
      newest = null;
      pendingFrom = null;
      current = replay.begin(begunEpoch, base.version());
      currentEpoch = begunEpoch;
    } else {
      newest = epochs.lastEntry().getValue().last();
    }
  }

  /** Executes what has yet to run, and again what depends on it; false if it cannot. */
  private boolean run() {
    if (pendingFrom != null && newest != null && cannot() == null) {
      lateEntries.run(epochs, base.version(), pendingFrom);
      byId.grow(lateEntries.takeGrownBytes());
      pendingFrom = null;
      current = LateEntries.afterOf(newest);
      currentEpoch = epochOf(newest.entry);
      if (begunEpoch > epochOf(newest.entry)) {
        current = replay.begin(begunEpoch, current);
      }
    }
    lacksOwn = false;
    return cannot() == null;
  }

  /** Throws if the window is not what the class comment says. */
  void checkInvariants() {
    WindowInvariants.check(this, byId, newest, pendingFrom);
  }
}

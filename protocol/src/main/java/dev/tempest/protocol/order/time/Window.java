package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Answers;
import dev.tempest.protocol.ClientTable;
import dev.tempest.protocol.Mix;
import dev.tempest.protocol.Stamp;
import dev.tempest.service.Execution;
import dev.tempest.service.Result;
import dev.tempest.service.ServiceInstance;
import dev.tempest.state.Version;
import dev.tempest.values.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The log of a replica: the settled version, and after it the unsettled entries in the order
 * (stamp, request), each with what its execution gave.
 *
 * <p>Guarantees that {@link #version} is the settled version plus the execution of all unsettled
 * entries in that order, however they arrived: an entry that comes late is inserted where it
 * belongs, and what follows it runs again. Every request is in it at most once, at the lowest stamp
 * under which it was seen. Does not decide what may be inserted, nor when entries settle.
 */
final class Window {
  /**
   * Of so many entries in a row one keeps its version: fewer are faster to run again, more take
   * memory.
   */
  private static final int VERSION_EVERY = 32;

  private final ServiceInstance service;
  private final int epochMillis;
  private final NavigableMap<Long, Epoch> epochs = new TreeMap<>();
  private final Map<RequestId, LogEntry> byId = new LinkedHashMap<>();
  private final ClientTable clients;
  private Version base;
  private Prefix settled;

  private @Nullable LogEntry newest;

  /** From here on the entries have yet to run in their order. */
  private @Nullable Entry pendingFrom;

  private long late;
  private long rerun;

  Window(
      ServiceInstance service, int epochMillis, Version base, Prefix settled, ClientTable clients) {
    this.service = service;
    this.epochMillis = epochMillis;
    this.base = base;
    this.settled = settled;
    this.clients = clients;
  }

  /** The state after all entries. */
  Version version() {
    run();
    return newest == null ? base : afterOf(newest);
  }

  /** The settled state. */
  Version base() {
    return base;
  }

  /** What is settled. */
  Prefix settled() {
    return settled;
  }

  ClientTable clients() {
    return clients;
  }

  NavigableMap<Long, Epoch> epochs() {
    return epochs;
  }

  int size() {
    return byId.size();
  }

  /** How many entries arrived after later ones. */
  long late() {
    return late;
  }

  /** How many entries were executed again because of those. */
  long rerun() {
    return rerun;
  }

  long epochOf(Entry entry) {
    return Stamp.millis(entry.stamp()) / epochMillis;
  }

  /** Whether the request has been executed, settled or not. */
  boolean contains(RequestId id) {
    return byId.containsKey(id) || clients.contains(id);
  }

  /**
   * The sum of everything up to and including an epoch, which may not lie before the settled one.
   */
  Prefix through(long epoch) {
    long count = settled.count();
    long hash = settled.hash();
    for (Epoch each : epochs.headMap(epoch, true).values()) {
      count += each.size();
      hash += each.hash();
    }
    return new Prefix(epoch, count, hash);
  }

  /**
   * The answer of a request as of now, after whatever came late; null if it is not in the window.
   */
  @Nullable Answer answer(RequestId id) {
    run();
    LogEntry entry = byId.get(id);
    return entry == null ? null : entry.answer;
  }

  /**
   * Takes a new request where its stamp says.
   *
   * @return how it ended, if it was executed at once; null if it will be when that is needed
   */
  @Nullable Answer take(Entry entry) {
    LogEntry before = newest;
    boolean inOrder = before == null || before.entry.compareTo(entry) < 0;
    if (!inOrder || pendingFrom != null) {
      // Whether it can be executed at all does not depend on the version.
      Result probe = execution(base, entry).result();
      if (!isKept(probe)) {
        return Answers.of(probe);
      }
      insert(List.of(entry));
      return null;
    }
    Execution execution = execution(version(), entry);
    Answer answer = Answers.of(execution.result());
    if (isKept(execution.result())) {
      LogEntry appended = new LogEntry(entry);
      appended.answer = answer;
      appended.after = execution.after();
      append(appended, before);
    }
    return answer;
  }

  /**
   * Takes entries that peers have executed; the ones already there stay unless these have a lower
   * stamp. They and what follows them run when that is needed, so that many late entries cost no
   * more than one.
   *
   * @return how many were not there under any stamp
   */
  int insert(List<Entry> entries) {
    int news = 0;
    for (Entry entry : entries) {
      if (clients.contains(entry.id()) || epochOf(entry) <= settled.throughEpoch()) {
        continue;
      }
      LogEntry present = byId.get(entry.id());
      LogEntry inserted = new LogEntry(entry);
      if (present == null) {
        news++;
      } else if (present.entry.stamp() <= entry.stamp()) {
        continue;
      } else {
        takeOut(present);
        inserted.answer = present.answer; // It has been executed, and will be again.
      }
      byId.put(entry.id(), inserted);
      epochAt(epochOf(entry)).insert(inserted);
      if (newest != null && entry.compareTo(newest.entry) < 0) {
        late++;
      }
      if (pendingFrom == null || entry.compareTo(pendingFrom) < 0) {
        pendingFrom = entry;
      }
      newest = epochs.lastEntry().getValue().last();
    }
    return news;
  }

  /** Folds the entries up to and including an epoch into the settled version. */
  void settle(long throughEpoch) {
    run();
    NavigableMap<Long, Epoch> folded = epochs.headMap(throughEpoch, true);
    if (!folded.isEmpty()) {
      base = afterOf(folded.lastEntry().getValue().last());
    }
    settled = through(throughEpoch);
    for (Epoch epoch : folded.values()) {
      for (LogEntry each : epoch.entries()) {
        byId.remove(each.entry.id());
        clients.settle(each.entry.id(), each.entry.stamp(), answerOf(each));
      }
    }
    folded.clear();
    if (epochs.isEmpty()) {
      newest = null;
    }
    clients.forget(throughEpoch * epochMillis);
  }

  /** The entries of one epoch in order. */
  List<Entry> epoch(long number) {
    Epoch epoch = epochs.get(number);
    return epoch == null ? List.of() : epoch.entries().stream().map(each -> each.entry).toList();
  }

  /** The unsettled entries in order. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>(byId.size());
    epochs.values().forEach(epoch -> epoch.entries().forEach(each -> entries.add(each.entry)));
    return entries;
  }

  private static boolean isKept(Result result) {
    return result instanceof Result.Returned || result instanceof Result.Threw;
  }

  private static Answer answerOf(LogEntry entry) {
    Answer answer = entry.answer;
    if (answer == null) {
      throw new IllegalStateException("entry " + entry.entry.id() + " has not run");
    }
    return answer;
  }

  private void append(LogEntry entry, @Nullable LogEntry before) {
    Epoch epoch = epochAt(epochOf(entry.entry));
    int at = epoch.insert(entry);
    byId.put(entry.entry.id(), entry);
    newest = entry;
    if (before != null && at > 0 && (at - 1) % VERSION_EVERY != 0) {
      before.after = null;
    }
  }

  private Epoch epochAt(long number) {
    Map.Entry<Long, Epoch> last = epochs.lastEntry();
    return last != null && last.getKey() == number
        ? last.getValue()
        : epochs.computeIfAbsent(number, Epoch::new);
  }

  /**
   * Takes an entry out whose request has turned up under a lower stamp; what followed it runs again
   * from there.
   */
  private void takeOut(LogEntry entry) {
    long number = epochOf(entry.entry);
    Epoch epoch = epochAt(number);
    epoch.remove(entry);
    if (epoch.size() == 0) {
      epochs.remove(number);
    }
  }

  /** Executes what has yet to run, and again what follows it. */
  private void run() {
    if (pendingFrom != null) {
      runFrom(pendingFrom);
      pendingFrom = null;
    }
  }

  private void runFrom(Entry earliest) {
    long first = epochOf(earliest);
    Version version = versionBefore(first);
    for (Epoch epoch : epochs.tailMap(first, true).values()) {
      List<LogEntry> entries = epoch.entries();
      int from = 0;
      if (epoch.number == first) {
        for (int at = 0;
            at < entries.size() && entries.get(at).entry.compareTo(earliest) < 0;
            at++) {
          Version kept = entries.get(at).after;
          if (kept != null) {
            version = kept;
            from = at + 1;
          }
        }
      }
      for (int at = from; at < entries.size(); at++) {
        LogEntry each = entries.get(at);
        Execution execution = execution(version, each.entry);
        version = execution.after();
        if (each.answer != null) {
          rerun++;
        }
        each.answer = Answers.of(execution.result());
        boolean keeps = at % VERSION_EVERY == 0 || at == entries.size() - 1;
        each.after = keeps ? version : null;
      }
    }
  }

  /**
   * The version before the first entry of an epoch: the last entry of an epoch always keeps its
   * version.
   */
  private Version versionBefore(long epoch) {
    Map.Entry<Long, Epoch> previous = epochs.lowerEntry(epoch);
    return previous == null ? base : afterOf(previous.getValue().last());
  }

  private static Version afterOf(LogEntry entry) {
    Version after = entry.after;
    if (after == null) {
      throw new IllegalStateException("entry " + entry.entry.id() + " has lost its version");
    }
    return after;
  }

  private Execution execution(Version before, Entry entry) {
    long millis = Stamp.millis(entry.stamp());
    return switch (entry.body()) {
      case Call(int method, Bytes arguments) ->
          service.update(before, method, arguments, millis, Mix.hash(entry.id()));
      case Change(Bytes writes) -> service.apply(before, writes, millis);
    };
  }

  /** Throws if the window is not what the class comment says. */
  void checkInvariants() {
    int count = 0;
    @Nullable Entry previous = null;
    for (Epoch epoch : epochs.values()) {
      long hash = 0;
      if (epoch.size() == 0 || epoch.number <= settled.throughEpoch()) {
        throw new AssertionError("epoch " + epoch.number + " should be gone");
      }
      for (LogEntry each : epoch.entries()) {
        if (previous != null && previous.compareTo(each.entry) >= 0) {
          throw new AssertionError(each.entry.id() + " is out of order");
        }
        if (epochOf(each.entry) != epoch.number || byId.get(each.entry.id()) != each) {
          throw new AssertionError(each.entry.id() + " is in the wrong place");
        }
        if (clients.contains(each.entry.id())) {
          throw new AssertionError(each.entry.id() + " is settled and unsettled");
        }
        hash += Mix.hash(each.entry);
        previous = each.entry;
        count++;
      }
      boolean ran = pendingFrom == null || epoch.number < epochOf(pendingFrom);
      if (hash != epoch.hash() || (ran && epoch.last().after == null)) {
        throw new AssertionError("epoch " + epoch.number + " has a wrong sum or no version");
      }
    }
    if (count != byId.size()) {
      throw new AssertionError(byId.size() + " ids for " + count + " entries");
    }
  }
}

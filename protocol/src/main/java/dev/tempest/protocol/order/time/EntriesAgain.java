package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Mix;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Body;
import dev.tempest.wire.Call;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Executed;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replica puts in again after it has taken a state that may lack it: each entry under its
 * id, so that it counts once, whoever else puts it in.
 */
final class EntriesAgain {
  /** What is lacking elsewhere travels in changes of about this size. */
  private static final int LACKING_BYTES = 256 << 10;

  private final ServiceInstance service;

  /** With the state that was taken. */
  private final Window window;

  private final Prefix taken;
  private final List<Entry> entries = new ArrayList<>();
  private final List<RequestId> givenUp = new ArrayList<>();
  private @Nullable Version version;
  private long stamp;

  /** None yet; the first one that came too late gets {@code firstStamp}. */
  EntriesAgain(ServiceInstance service, Window window, Prefix taken, long firstStamp) {
    this.service = service;
    this.window = window;
    this.taken = taken;
    this.stamp = firstStamp;
  }

  List<Entry> entries() {
    return entries;
  }

  /** Those that are not put in, since whether they are in the state is forgotten there. */
  List<RequestId> givenUp() {
    return givenUp;
  }

  /** With what they have not settled: that may have settled here, and is not to count twice. */
  private Version version() {
    Version current = version == null ? window.version() : version;
    version = current;
    return current;
  }

  /**
   * Whether this replica cannot execute all of what it has taken: then it does not know what that
   * lacks, and only calls that it has kept can be put in.
   */
  boolean isBlind() {
    version();
    return window.cannot() != null;
  }

  /**
   * Whether there are settled calls, and all that had settled since the parting can be put in.
   *
   * @param common through this epoch both had settled the same
   */
  boolean hasCalls(List<Entry> settled, long common) {
    return settled.stream().anyMatch(entry -> entry.body() instanceof Call)
        && settled.stream()
            .filter(entry -> window.epochOf(entry) > common)
            .allMatch(entry -> window.contains(entry.id()) || canBeAdded(entry));
  }

  /**
   * Of what was written it is what adds up; of calls that do not run again the id alone, so that
   * nobody else runs them.
   *
   * @param hasCalls whether settled calls run again; else what they did comes with the state
   */
  void addSettled(List<Entry> settled, boolean hasCalls) {
    for (Entry entry : settled) {
      if (isToBeAdded(entry)) {
        Body body =
            switch (entry.body()) {
              case Call call -> hasCalls ? call : Change.partOf(Bytes.EMPTY);
              case Change change -> Change.partOf(addends(change.writes()));
              case Executed executed -> executed.withPart(addends(executed.writes()));
            };
        entries.add(entry.again(stamp++, body));
      }
    }
  }

  private Bytes addends(Bytes writes) {
    return service.addends(writes, version());
  }

  /** Keys that others of this side have brought are there, too, from now on. */
  void insert(BroughtKeys brought) {
    if (!brought.complete().isEmpty()) {
      window.insert(brought.complete());
      version = null;
    }
  }

  /** The keys of which a state has something and the one that was taken has nothing. */
  void addLacking(Version ours, Prefix settledHere) {
    for (Bytes lacking : service.lacking(version(), ours, LACKING_BYTES)) {
      // Whoever had settled the same and lacks the same puts the same in: it has to count once.
      entries.add(new Entry(idOf(settledHere, lacking), stamp++, new Change(lacking)));
    }
  }

  /**
   * Whether an entry brings keys as a whole from a replica that had settled the same: they have
   * what the entries that settled there merged into them.
   */
  static boolean isLacking(Entry entry, Prefix settled) {
    return entry.body() instanceof Change(int part, Bytes writes)
        && part == 0
        && entry.id().sequence() == sequenceOf(settled) // What it has is hashed for few of them.
        && entry.id().equals(idOf(settled, writes));
  }

  /**
   * Of different changes the ids differ, too: what is lacking depends on the state that is taken,
   * and on what has expired since, which does not count among what settled.
   */
  private static RequestId idOf(Prefix ours, Bytes lacking) {
    long state = Mix.hash(ours.hash(), ours.count());
    return new RequestId(Mix.hash(state, lacking.stableHash()), sequenceOf(ours));
  }

  private static long sequenceOf(Prefix ours) {
    return Math.max(1, ours.count());
  }

  /**
   * What settled without it gets a new stamp, unless it has one in the state that was taken; the
   * others keep theirs and so their place: others may have agreed to it, whatever that state says.
   */
  void addUnsettled(List<Entry> unsettled) {
    for (Entry entry : unsettled) {
      Entry there = window.find(entry.id());
      boolean late = window.epochOf(entry) <= taken.throughEpoch();
      if (there == null ? isToBeAdded(entry) : !late && entry.compareTo(there) < 0) {
        entries.add(late ? entry.again(stamp++, entry.body()) : entry);
      }
    }
  }

  private boolean isToBeAdded(Entry entry) {
    boolean canBeAdded = canBeAdded(entry);
    if (!canBeAdded && !window.contains(entry.id())) {
      givenUp.add(entry.id());
    }
    return canBeAdded;
  }

  private boolean canBeAdded(Entry entry) {
    return isNew(entry) && !window.isTooOld(entry.again(stamp, entry.body()));
  }

  /** Whether it is known not to be in the state that has been taken. */
  boolean isNew(Entry entry) {
    return window.find(entry.id()) == null
        && !window.clients().mayContain(entry.id(), entry.firstStamp());
  }
}

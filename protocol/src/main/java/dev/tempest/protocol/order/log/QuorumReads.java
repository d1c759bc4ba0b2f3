package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Linearizable reads at any replica, outside of the log. A majority says how long its logs are,
 * with what it has voted for; whatever was committed before is in one of these, so a replica that
 * has committed as much shows it. Who holds a lease need not ask: its own log has all of it. One
 * question for all that wait; who comes after it was sent waits for the next one.
 *
 * <p>If the members have changed meanwhile, the majority of the earlier ones may not have met that
 * of the later ones: those are asked, too.
 */
final class QuorumReads {
  /** The others are asked, too, after such a part of the time until all are asked again. */
  private static final int PROMPT_SHARE = 10;

  /** What waits until it can be read. */
  sealed interface Waiting {
    /** What it takes in memory, about. */
    long sizeBytes();
  }

  /**
   * A read of a front-end, and who asked.
   *
   * @param seen what its client has seen, who wants to know what it has seen then; null if it does
   *     not
   */
  record Asked(Address from, Read read, @Nullable Seen seen) implements Waiting {
    @Override
    public long sizeBytes() {
      return read.call().sizeBytes();
    }
  }

  /** A front-end wants to know how soon a read would be answered here. */
  record Polled(Address from, RequestId beacon) implements Waiting {
    @Override
    public long sizeBytes() {
      return 2 * Long.BYTES;
    }
  }

  /** A read of this process. */
  record Own(long ticket) implements Waiting {
    @Override
    public long sizeBytes() {
      return Long.BYTES;
    }
  }

  private final long self;
  private final int maxReads;
  private final long maxBytes;
  private final long againNanos;

  /** What those take that wait. */
  private long waitingBytes;

  /** Those that the next question is for. */
  private List<Waiting> next = new ArrayList<>();

  /** Those that the question is for that was sent. */
  private List<Waiting> asking = new ArrayList<>();

  private List<Long> members = List.of();

  /** All but this one, those first that have answered lately. */
  private final List<Long> others = new ArrayList<>();

  /** How many of those the question was sent to: it may be enough if they answer. */
  private int asked;

  private final Map<Long, Long> lengths = new LinkedHashMap<>();
  private long number;
  private long untilNanos = Long.MAX_VALUE;

  /** How much has to be committed here for the ones that are asking; -1 while too few have said. */
  private long enough = -1;

  /**
   * Whoever does not answer is asked again after a while.
   *
   * @param maxReads so many wait
   * @param maxBytes how much those may take that wait
   * @param number of the first question: nobody answers one of an earlier life with that
   */
  QuorumReads(long self, int maxReads, long maxBytes, long number, long againNanos) {
    this.self = self;
    this.maxReads = maxReads;
    this.maxBytes = maxBytes;
    this.number = number;
    this.againNanos = againNanos;
  }

  /** When {@link #look} has something to do, whatever happens until then. */
  long nextTickNanos() {
    return untilNanos;
  }

  boolean isEmpty() {
    return next.isEmpty() && asking.isEmpty();
  }

  /** Takes a read, if there is room for it. */
  boolean add(Waiting read) {
    long bytes = read.sizeBytes();
    if (next.size() + asking.size() >= maxReads || waitingBytes + bytes > maxBytes) {
      return false;
    }
    waitingBytes += bytes;
    return next.add(read);
  }

  private List<Waiting> leave(List<Waiting> ready) {
    ready.forEach(each -> waitingBytes -= each.sizeBytes());
    return ready;
  }

  /** Another replica says how long its log is. */
  void received(long from, LogMessage.Length said) {
    if (said.number() == number && members.contains(from)) {
      lengths.put(from, said.length());
      others.remove(from); // One of those that were asked, so these stay the same.
      others.addFirst(from);
    }
  }

  /**
   * Goes on: asks, or asks again.
   *
   * @param log as it is now
   * @return those that can be answered now
   */
  List<Waiting> look(Agreement log, long nowNanos, Outbox outbox) {
    List<Waiting> ready = List.of();
    if (!asking.isEmpty()) {
      count(log.quorum());
      boolean isSame = log.members().equals(members);
      if (enough >= 0 && log.committed() >= enough && isSame) {
        ready = asking;
        asking = new ArrayList<>();
      } else if (!isSame) {
        asking.addAll(next); // As new as they are.
        next = asking;
        asking = new ArrayList<>();
      } else if (nowNanos >= untilNanos && asked < others.size()) {
        askFirst(others.size(), nowNanos, outbox);
      } else if (nowNanos >= untilNanos) {
        ask(log, nowNanos, outbox); // What is enough already stays so, however long logs get.
      }
    }
    if (asking.isEmpty() && !next.isEmpty()) {
      asking = next;
      next = new ArrayList<>();
      enough = -1;
      ask(log, nowNanos, outbox);
      count(log.quorum());
      if (enough >= 0 && log.committed() >= enough) { // It need not ask.
        List<Waiting> more = new ArrayList<>(ready);
        more.addAll(asking);
        ready = more;
        asking = new ArrayList<>();
      }
    }
    if (asking.isEmpty()) {
      untilNanos = Long.MAX_VALUE;
    }
    return leave(ready);
  }

  /** As many as are needed. */
  private void ask(Agreement log, long nowNanos, Outbox outbox) {
    log.hurry();
    if (!log.members().equals(members)) {
      members = log.members();
      others.clear();
      others.addAll(members);
      others.remove(self);
    }
    lengths.clear();
    if (members.contains(self)) {
      lengths.put(self, log.end());
    }
    number++;
    if (log.holdsLease(nowNanos)) {
      enough = enough < 0 ? log.length() : Math.min(enough, log.length());
      asked = others.size();
      untilNanos = nowNanos + againNanos;
      return;
    }
    asked = 0;
    int lacking = log.quorum().accepting(members.size()) - lengths.size();
    askFirst(Math.min(lacking, others.size()), nowNanos, outbox);
  }

  /** So many are asked now, but for those that were. */
  private void askFirst(int count, long nowNanos, Outbox outbox) {
    others
        .subList(asked, count)
        .forEach(each -> outbox.send(each, new LogMessage.LengthRequest(number)));
    asked = count;
    untilNanos = nowNanos + (asked < others.size() ? againNanos / PROMPT_SHARE : againNanos);
  }

  private void count(Quorum quorum) {
    if (quorum.accepts(lengths.keySet(), members)) {
      long longest = lengths.values().stream().mapToLong(each -> each).max().orElse(0);
      enough = enough < 0 ? longest : Math.min(enough, longest);
    }
  }

  /** Takes one back; false if it does not wait. */
  boolean remove(Waiting read) {
    boolean waited = next.remove(read) || asking.remove(read);
    waitingBytes -= waited ? read.sizeBytes() : 0;
    if (asking.isEmpty()) {
      untilNanos = Long.MAX_VALUE; // Nobody wants to know any more.
    }
    return waited;
  }

  /** It serves nobody any more; those that wait. */
  List<Waiting> end() {
    List<Waiting> all = new ArrayList<>(asking);
    all.addAll(next);
    asking = new ArrayList<>();
    next = new ArrayList<>();
    untilNanos = Long.MAX_VALUE;
    return leave(all);
  }
}

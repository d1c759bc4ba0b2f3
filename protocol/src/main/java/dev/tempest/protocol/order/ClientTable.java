package dev.tempest.protocol.order;

import dev.tempest.protocol.Invariant;
import dev.tempest.wire.Answer;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.ClientRecord;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What every client has had executed, and the answers it may still ask for: the memory that keeps a
 * request from running twice. Part of what an order has {@link Applied}.
 *
 * <p>Holds what counts for good; newer updates are found in the log. A client, a front-end or a
 * replica that writes by itself, numbers its updates without gaps: so it takes one interval set,
 * and the answers that it has not said it received. Of updates that were refused gaps stay: of whom
 * has left out many numbers only the latest updates are remembered.
 *
 * <p>Who was silent for long is forgotten, in two generations: when the young one has lasted long
 * enough, or has taken half of the room, it becomes the old one, and the old one is forgotten as a
 * whole. The table {@linkplain #mayHaveForgotten says} what it may have forgotten. Nobody is
 * forgotten early: a table that is full {@linkplain #hasRoomFor takes no new clients}, and keeps no
 * more answers.
 *
 * <p>Immutable; an {@link Edit} makes the next one.
 */
public final class ClientTable {
  /** For so long a silent client is remembered at least; any deadline of a request is far below. */
  public static final int RETENTION_MILLIS = 600_000;

  /** The answers to one client may take one part in so many; the latest is kept all the same. */
  private static final int ANSWERS_SHARE = 32;

  /** Of one client so many intervals are remembered: half of them when there are more. */
  public static final int INTERVALS_MAX = 2_048;

  /** In a table that is full one client may have one part in so many of them. */
  private static final int INTERVALS_SHARE = 64;

  /** Nobody has had anything executed. */
  public static final ClientTable EMPTY = new ClientTable(Generation.EMPTY, Generation.EMPTY, 0, 0);

  /**
   * How long and how much is remembered.
   *
   * @param atLeast for so long after its latest update a client is remembered, as the order counts
   * @param atMost a generation is young for no longer
   * @param maxBytes what the table may take in memory, about
   * @param answersMax how many answers are kept for one client
   * @param intervalsMax of whom has more intervals the latest half is remembered: a client has no
   *     more updates under way, from the oldest on
   */
  public record Bounds(long atLeast, long atMost, long maxBytes, int answersMax, int intervalsMax) {
    private long answersMaxBytes() {
      return maxBytes / ANSWERS_SHARE;
    }

    private int intervalsKept() {
      return Math.max(1, intervalsMax / 2);
    }

    private int intervalsIfFull() {
      return Math.max(1, intervalsMax / INTERVALS_SHARE);
    }
  }

  /** Some of the clients; the next ones lie from a place on, 0 if there are none. */
  public record Page(List<ClientRecord> records, long nextFrom) {}

  private final Generation young;
  private final Generation old;
  private final long youngSince;
  private final long forgottenBefore;

  private ClientTable(Generation young, Generation old, long youngSince, long forgottenBefore) {
    this.young = young;
    this.old = old;
    this.youngSince = youngSince;
    this.forgottenBefore = forgottenBefore;
  }

  /** The table that has these clients, but for those that are forgotten. */
  public static ClientTable of(List<ClientRecord> records, long youngSince, long forgottenBefore) {
    Generation.Edit young = Generation.EMPTY.edit();
    Generation.Edit old = Generation.EMPTY.edit();
    for (ClientRecord record : records) {
      if (record.latest() >= forgottenBefore) {
        (record.latest() >= youngSince ? young : old).put(Client.of(record));
      }
    }
    return new ClientTable(young.done(), old.done(), youngSince, forgottenBefore);
  }

  /** The latest updates of the young generation count from here on, those of the old before it. */
  public long youngSince() {
    return youngSince;
  }

  /** Clients whose latest updates count before this may be forgotten. */
  public long forgottenBefore() {
    return forgottenBefore;
  }

  /**
   * The clients that lie from a place on, the first ones that take so many bytes, about, and at
   * least one. Where a client lies depends on nothing but its id.
   *
   * @param from 0 for all
   */
  public Page page(long from, int enoughBytes) {
    Some ofYoung = new Some(enoughBytes);
    young.clients().forEachFrom(from, ofYoung);
    Some ofOld = new Some(enoughBytes);
    old.clients().forEachFrom(from, ofOld);
    List<Client> found = ofYoung.found;
    found.addAll(ofOld.found);
    found.sort((one, other) -> Long.compareUnsigned(place(one), place(other)));
    List<ClientRecord> records = new ArrayList<>();
    long sizeBytes = 0;
    long nextFrom = from;
    for (Client client : found) {
      if (sizeBytes >= enoughBytes) {
        break; // Others that were not found may lie before it.
      }
      records.add(client.record());
      sizeBytes += client.sizeBytes();
      nextFrom = place(client) + 1;
    }
    return new Page(records, sizeBytes < enoughBytes ? 0 : nextFrom);
  }

  /** Collects clients until they take enough. */
  private static final class Some implements Predicate<Client> {
    final List<Client> found = new ArrayList<>();
    private final int enoughBytes;
    long sizeBytes;

    Some(int enoughBytes) {
      this.enoughBytes = enoughBytes;
    }

    @Override
    public boolean test(Client client) {
      found.add(client);
      sizeBytes += client.sizeBytes();
      return sizeBytes < enoughBytes;
    }
  }

  private static long place(Client client) {
    return LongMap.place(client.id());
  }

  /** Whether the update was executed and counts for good. */
  public boolean contains(RequestId id) {
    Client client = find(id.client());
    return client != null && client.applied().contains(id.sequence());
  }

  /** Those of the client's updates that are not known to have been executed. */
  public IntervalSet lacking(long clientId, IntervalSet sequences) {
    Client client = find(clientId);
    return client == null ? sequences : sequences.without(client.applied());
  }

  /**
   * Whether a client's updates that count when {@code at} says may have been executed although the
   * table lacks them.
   */
  public boolean mayHaveForgotten(long clientId, long at) {
    Client client = find(clientId);
    return at < (client == null ? forgottenBefore : client.since());
  }

  /** Whether an update that counts when {@code at} says was executed, or may have been. */
  public boolean mayContain(RequestId id, long at) {
    return contains(id) || mayHaveForgotten(id.client(), at);
  }

  /** The answer to an update; null if it is forgotten. */
  public @Nullable Answer answer(RequestId id) {
    Client client = find(id.client());
    return client == null ? null : client.answers().get(id.sequence());
  }

  /** Whether the client is known and has left out few numbers, or there is room for more. */
  public boolean hasRoomFor(long clientId, Bounds bounds) {
    if (!isFull(bounds)) {
      return true;
    }
    Client client = find(clientId);
    return client != null && client.applied().intervals() <= bounds.intervalsIfFull();
  }

  /** Whether it is full, and forgets clients once it is that late. */
  public boolean makesRoomBy(long now, Bounds bounds) {
    return isFull(bounds) && ages(now, bounds);
  }

  /** Whether there is no room for new clients, and none for answers. */
  public boolean isFull(Bounds bounds) {
    return sizeBytes() >= bounds.maxBytes;
  }

  /** What it takes in memory, about. */
  long sizeBytes() {
    return young.sizeBytes() + old.sizeBytes();
  }

  /** Makes the next table; this one stays as it is. */
  public Edit edit() {
    return new Edit(this);
  }

  /** Throws if it does not hold together. */
  public void checkInvariants() {
    check(young, true);
    check(old, false);
    Invariant.check(forgottenBefore <= youngSince, "nobody who is young is forgotten");
  }

  private void check(Generation generation, boolean isYoung) {
    generation.checkInvariants();
    generation
        .clients()
        .forEach(client -> {
          Invariant.check(
              client.latest() >= youngSince == isYoung,
              "the latest update says how old a client is");
          Invariant.check(
              isYoung ? old.clients().get(client.id()) == null : client.latest() >= forgottenBefore,
              "a client is in one generation, and is not forgotten");
          LatestAnswers answers = client.answers();
          for (int i = 0; i < answers.size(); i++) {
            long sequence = answers.sequence(i);
            Invariant.check(
                i == 0 || answers.sequence(i - 1) < sequence, "answers are kept in their order");
            Invariant.check(
                sequence >= client.answeredBelow() && client.applied().contains(sequence),
                "an answer is kept of what was executed, until its client has it");
          }
        });
  }

  private @Nullable Client find(long id) {
    Client client = young.clients().get(id);
    return client != null ? client : old.clients().get(id);
  }

  /** The next table in the making. Not thread-safe, and of no use after {@link #done}. */
  public static final class Edit {
    private final ClientTable before;
    private final Map<Long, Draft> drafts = new LinkedHashMap<>();

    /** Mostly of the next update, too; null for none. */
    private @Nullable Draft latestDraft;

    private Edit(ClientTable before) {
      this.before = before;
    }

    /**
     * Takes an update of a client that asked for it.
     *
     * @param at when it counts, as the order counts
     * @param answeredBelow the client has the answers to all its updates with lower sequences, as
     *     far as that is known
     */
    public void asked(RequestId id, long at, Answer answer, long answeredBelow) {
      Draft client = draft(id.client());
      client.take(id.sequence(), at);
      client.answered(answeredBelow);
      if (id.sequence() >= client.answeredBelow) {
        client.keep(id.sequence(), answer);
      }
    }

    /**
     * Takes what a replica wrote.
     *
     * @param at when it counts, as the order counts
     */
    public void wrote(RequestId id, long at) {
      draft(id.client()).take(id.sequence(), at);
    }

    /**
     * Of all updates of a client below a number it is known to all replicas how they ended: nobody
     * asks for those any more that do not count. Else gaps would take more and more room.
     */
    public void ended(long client, long below) {
      draft(client).fill(below);
    }

    /**
     * The table.
     *
     * @param until all that it took counts before this, and what comes next does not
     */
    public ClientTable done(long until, Bounds bounds) {
      boolean full = before.isFull(bounds);
      Generation.Edit young = before.young.edit();
      Generation.Edit old = before.old.edit();
      for (Draft draft : drafts.values()) {
        Client client = draft.done(full, bounds);
        boolean isYoung = client.latest() >= before.youngSince;
        (isYoung ? young : old).put(client);
        if (isYoung) {
          old.remove(client.id());
        }
      }
      return new ClientTable(young.done(), old.done(), before.youngSince, before.forgottenBefore)
          .aged(until, bounds);
    }

    private Draft draft(long id) {
      Draft draft = latestDraft;
      if (draft == null || draft.id != id) {
        draft = drafts.computeIfAbsent(id, before::draft);
        latestDraft = draft;
      }
      return draft;
    }
  }

  private Draft draft(long id) {
    return new Draft(id, find(id), forgottenBefore);
  }

  /** The young generation becomes the old one if that is due, and can be forgotten. */
  private ClientTable aged(long now, Bounds bounds) {
    return ages(now, bounds)
        ? new ClientTable(
            Generation.EMPTY, young, now, old.isEmpty() ? forgottenBefore : youngSince)
        : this;
  }

  private boolean ages(long now, Bounds bounds) {
    long age = now - youngSince;
    boolean takesMuch = young.sizeBytes() >= bounds.maxBytes / 2 || isFull(bounds);
    boolean canForget = old.isEmpty() || age >= bounds.atLeast;
    return canForget && (takesMuch || age >= bounds.atMost);
  }

  /** A client that may be changed. */
  private static final class Draft {
    final long id;
    final LatestAnswers answers;
    IntervalSet applied;
    long since;
    long latest;
    long answeredBelow;

    Draft(long id, @Nullable Client known, long forgottenBefore) {
      this.id = id;
      this.applied = known == null ? new IntervalSet() : known.applied().copy();
      this.answers = known == null ? new LatestAnswers() : known.answers().copy();
      this.since = known == null ? forgottenBefore : known.since();
      this.latest = known == null ? 0 : known.latest();
      this.answeredBelow = known == null ? 0 : known.answeredBelow();
    }

    void take(long sequence, long at) {
      applied.add(sequence);
      latest = Math.max(latest, at);
    }

    void fill(long below) {
      if (below > 1) {
        applied.addAll(IntervalSet.of(1, below - 1));
      }
    }

    void answered(long sequence) {
      if (sequence > answeredBelow) {
        answeredBelow = sequence;
        answers.dropBelow(sequence);
      }
    }

    void keep(long sequence, Answer answer) {
      answers.put(sequence, answer);
    }

    /** What is forgotten counts before what comes next, so whoever brings it again is refused. */
    private void forgetEarly(int intervalsKept) {
      IntervalSet kept = new IntervalSet();
      for (int i = applied.intervals() - intervalsKept; i < applied.intervals(); i++) {
        kept.append(applied.first(i), applied.last(i));
      }
      applied = kept;
      answers.dropBelow(kept.first(0));
      since = latest + 1;
    }

    Client done(boolean isFull, Bounds bounds) {
      if (applied.intervals() > bounds.intervalsMax) {
        forgetEarly(bounds.intervalsKept());
      }
      while (answers.size() > bounds.answersMax
          || (answers.sizeBytes() > bounds.answersMaxBytes() && answers.size() > 1)) {
        answers.dropFirst();
      }
      LatestAnswers kept = isFull ? new LatestAnswers() : answers.copy(); // Without their room.
      return new Client(id, applied, latest, since, answeredBelow, kept);
    }
  }
}

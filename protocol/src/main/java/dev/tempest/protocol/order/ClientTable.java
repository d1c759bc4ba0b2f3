package dev.tempest.protocol.order;

import dev.tempest.protocol.Invariant;
import dev.tempest.wire.Answer;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.ClientRecord;
import dev.tempest.wire.Message.RecordedAnswer;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every client has had executed, and the answers it may still ask for: the memory that keeps a
 * request from running twice. Part of what an order has {@link Applied}.
 *
 * <p>Holds what counts for good; newer updates are found in the log. Its size is one interval set
 * per client, because a client numbers its updates without gaps, and the answers that the client
 * has not said it received. A client is one that <em>asks</em>, a front-end, or one that
 * <em>writes</em>, a replica: that gets no answers, and is remembered for longer. Who was silent
 * for too long is forgotten, by the numbers with which the order says when an update counts: no
 * request lives as long.
 *
 * <p>Immutable; an {@link Edit} makes the next one.
 */
public final class ClientTable {
  /** For so long a silent client is remembered at least; any deadline of a request is far below. */
  public static final long RETENTION_MILLIS = 600_000;

  /** The same for a replica that wrote: it may come back from a long sleep. */
  public static final long WRITER_RETENTION_MILLIS = 7 * 24 * 3_600_000L;

  /** How many answers are kept for one client; it may have as many updates under way. */
  public static final int ANSWERS_MAX = 1_024;

  /** Nobody has had anything executed. */
  public static final ClientTable EMPTY = new ClientTable(LongMap.empty(), 0, 0, 0);

  /** What a client takes without answers, about. */
  private static final int SIZE_BYTES = 48;

  /** To look for the forgotten takes time, so it is done once in so many tables. */
  private static final int REMOVE_EVERY = 1_024;

  /**
   * What is remembered of a client.
   *
   * @param applied of it, which nobody changes any more
   * @param latest when its latest update counts
   * @param answers by the sequence of its update
   */
  private record Client(
      long id,
      boolean writes,
      IntervalSet applied,
      long latest,
      long answeredBelow,
      LatestAnswers answers) {
    ClientRecord record() {
      List<RecordedAnswer> recorded = new ArrayList<>(answers.size());
      for (int i = 0; i < answers.size(); i++) {
        recorded.add(new RecordedAnswer(answers.sequence(i), answers.answer(i)));
      }
      return new ClientRecord(id, writes, applied.copy(), latest, answeredBelow, recorded);
    }

    /** What the record takes, about. */
    long sizeBytes() {
      long sizeBytes = SIZE_BYTES;
      for (int i = 0; i < answers.size(); i++) {
        sizeBytes += Long.BYTES + answers.answer(i).sizeBytes();
      }
      return sizeBytes;
    }
  }

  private final LongMap<Client> clients;
  private final long askersBelow;
  private final long writersBelow;

  /** How often something was forgotten since the last time that the forgotten were removed. */
  private final int forgets;

  private ClientTable(LongMap<Client> clients, long askersBelow, long writersBelow, int forgets) {
    this.clients = clients;
    this.askersBelow = askersBelow;
    this.writersBelow = writersBelow;
    this.forgets = forgets;
  }

  /** The table that the records describe. */
  public static ClientTable of(List<ClientRecord> records) {
    LongMap.Edit<Client> clients = EMPTY.clients.edit();
    for (ClientRecord record : records) {
      LatestAnswers answers = new LatestAnswers();
      record.results().forEach(result -> answers.put(result.sequence(), result.answer()));
      clients.put(
          record.client(),
          new Client(
              record.client(),
              record.writes(),
              record.applied().copy(),
              record.latest(),
              record.answeredBelow(),
              answers));
    }
    return new ClientTable(clients.done(), 0, 0, 0);
  }

  /**
   * Some of the clients.
   *
   * @param isLast whether there are no more
   */
  public record Page(List<ClientRecord> records, boolean isLast) {}

  /**
   * Clients in an order that is the same in every process: the first ones after {@code from} others
   * that take so many bytes, about, and one more.
   */
  public Page page(int from, int enoughBytes) {
    List<ClientRecord> records = new ArrayList<>();
    long[] seenAndBytes = {0, 0};
    boolean[] isLast = {true};
    clients.forEach(client -> {
      if (isForgotten(client) || seenAndBytes[0]++ < from) {
        return;
      }
      if (seenAndBytes[1] >= enoughBytes) {
        isLast[0] = false;
        return;
      }
      records.add(client.record());
      seenAndBytes[1] += client.sizeBytes();
    });
    return new Page(records, isLast[0]);
  }

  /** Whether the update was executed and counts for good. */
  public boolean contains(RequestId id) {
    Client client = find(id.client());
    return client != null && client.applied.contains(id.sequence());
  }

  /** Those of the client's updates that are not known to have been executed. */
  public IntervalSet lacking(long clientId, IntervalSet sequences) {
    Client client = find(clientId);
    return client == null ? sequences : sequences.without(client.applied);
  }

  /** Whether nothing is known of the client any more, or ever was. */
  public boolean isUnknown(long client) {
    return find(client) == null;
  }

  /** The answer to an update; null if it is forgotten. */
  public @Nullable Answer answer(RequestId id) {
    Client client = find(id.client());
    return client == null ? null : client.answers.get(id.sequence());
  }

  /** How many clients take memory, the forgotten included that are not removed yet. */
  int size() {
    return clients.size();
  }

  /** Makes the next table; this one stays as it is. */
  public Edit edit() {
    return new Edit(this);
  }

  /** Throws if it does not hold together. */
  public void checkInvariants() {
    clients.checkInvariants();
    clients.forEach(client -> {
      LatestAnswers answers = client.answers;
      Invariant.check(answers.size() <= ANSWERS_MAX, "no more answers are kept than may be");
      Invariant.check(!client.writes || answers.size() == 0, "who writes gets no answers");
      for (int i = 0; i < answers.size(); i++) {
        long sequence = answers.sequence(i);
        Invariant.check(
            i == 0 || answers.sequence(i - 1) < sequence, "answers are kept in their order");
        Invariant.check(
            sequence >= client.answeredBelow && client.applied.contains(sequence),
            "an answer is kept of what was executed, until its client has it");
      }
    });
  }

  private @Nullable Client find(long id) {
    Client client = clients.get(id);
    return client == null || isForgotten(client) ? null : client;
  }

  private boolean isForgotten(Client client) {
    return client.latest < (client.writes ? writersBelow : askersBelow);
  }

  /** The next table in the making. Not thread-safe, and of no use after {@link #done}. */
  public static final class Edit {
    private final ClientTable before;
    private final Map<Long, Draft> drafts = new LinkedHashMap<>();
    private long askersBelow;
    private long writersBelow;

    /** Mostly of the next update, too; null for none. */
    private @Nullable Draft latestDraft;

    private Edit(ClientTable before) {
      this.before = before;
      this.askersBelow = before.askersBelow;
      this.writersBelow = before.writersBelow;
    }

    /**
     * Takes an update of a client that asked for it.
     *
     * @param at when it counts, as the order counts
     * @param answeredBelow the client has the answers to all its updates with lower sequences, as
     *     far as that is known
     */
    public void asked(RequestId id, long at, Answer answer, long answeredBelow) {
      Draft client = draft(id.client(), false);
      client.take(id.sequence(), at);
      client.answered(answeredBelow);
      if (id.sequence() >= client.answeredBelow) {
        client.answers.put(id.sequence(), answer);
        if (client.answers.size() > ANSWERS_MAX) {
          client.answers.dropFirst();
        }
      }
    }

    /**
     * Takes what a replica wrote.
     *
     * @param at when it counts, as the order counts
     */
    public void wrote(RequestId id, long at) {
      draft(id.client(), true).take(id.sequence(), at);
    }

    /** Forgets clients whose latest update counts before a number, one for each kind of them. */
    public void forget(long askersBefore, long writersBefore) {
      askersBelow = Math.max(askersBelow, askersBefore);
      writersBelow = Math.max(writersBelow, writersBefore);
    }

    /** The table. */
    public ClientTable done() {
      boolean removes = before.forgets >= REMOVE_EVERY;
      LongMap.Edit<Client> clients = before.clients.edit();
      drafts.values().forEach(draft -> clients.put(draft.id, draft.done()));
      ClientTable after =
          new ClientTable(
              clients.done(), askersBelow, writersBelow, removes ? 0 : before.forgets + 1);
      return removes ? after.withoutForgotten() : after;
    }

    private Draft draft(long id, boolean writes) {
      Draft draft = latestDraft;
      if (draft == null || draft.id != id) {
        draft = drafts.computeIfAbsent(id, unknown -> new Draft(id, writes, before.find(id)));
        latestDraft = draft;
      }
      return draft;
    }
  }

  private ClientTable withoutForgotten() {
    LongMap.Edit<Client> rest = clients.edit();
    clients.forEach(client -> {
      if (isForgotten(client)) {
        rest.remove(client.id);
      }
    });
    return new ClientTable(rest.done(), askersBelow, writersBelow, forgets);
  }

  /** A client that may be changed. */
  private static final class Draft {
    final long id;
    final boolean writes;
    final IntervalSet applied;
    final LatestAnswers answers;
    long latest;
    long answeredBelow;

    Draft(long id, boolean writes, @Nullable Client known) {
      this.id = id;
      this.writes = writes;
      this.applied = known == null ? new IntervalSet() : known.applied.copy();
      this.answers = known == null ? new LatestAnswers() : known.answers.copy();
      this.latest = known == null ? 0 : known.latest;
      this.answeredBelow = known == null ? 0 : known.answeredBelow;
    }

    void take(long sequence, long at) {
      applied.add(sequence);
      latest = Math.max(latest, at);
    }

    void answered(long sequence) {
      if (sequence > answeredBelow) {
        answeredBelow = sequence;
        answers.dropBelow(sequence);
      }
    }

    Client done() {
      return new Client(id, writes, applied, latest, answeredBelow, answers);
    }
  }
}

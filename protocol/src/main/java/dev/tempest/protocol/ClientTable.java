package dev.tempest.protocol;

import dev.tempest.protocol.order.time.Stamp;
import dev.tempest.wire.Answer;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.ClientRecord;
import dev.tempest.wire.Message.RecordedAnswer;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What every client has had executed, and the answers it may still ask for: the memory that keeps a
 * request from running twice.
 *
 * <p>Holds settled updates only; newer ones are found in the log. Its size is one interval set per
 * client, because a client numbers its updates without gaps, and the answers that the client has
 * not said it received. A client that was silent for {@link #RETENTION_MILLIS} is forgotten: no
 * request lives as long.
 */
public final class ClientTable {
  /** How long a silent client is remembered; any deadline of a request is far below. */
  public static final long RETENTION_MILLIS = 600_000;

  /** How long a replica that wrote is remembered: it may come back from a long sleep. */
  public static final long WRITER_RETENTION_MILLIS = 7 * 24 * 3_600_000L;

  /** How many answers are kept for one client; it may have as many updates under way. */
  public static final int ANSWERS_MAX = 1_024;

  /** Silent longest first. */
  private final LinkedHashMap<Long, Client> clients = new LinkedHashMap<>(16, 0.75f, true);

  /** The replicas' own, silent longest first: they write changes, and get no answers. */
  private final LinkedHashMap<Long, Client> writers = new LinkedHashMap<>(16, 0.75f, true);

  /** Mostly the writer of the next change, too; null for none. */
  private @Nullable Client latestWriter;

  private long latestWriterId;

  /** An empty table. */
  public ClientTable() {}

  /** The table that the records describe. */
  public static ClientTable of(List<ClientRecord> records) {
    ClientTable table = new ClientTable();
    for (ClientRecord record : records) {
      Client client = new Client();
      client.applied.addAll(record.applied());
      client.lastStamp = record.lastStamp();
      client.answeredBelow = record.answeredBelow();
      record.results().forEach(result -> client.answers.put(result.sequence(), result.answer()));
      boolean writes = record.results().isEmpty() && record.answeredBelow() == 0;
      (writes ? table.writers : table.clients).put(record.client(), client);
    }
    return table;
  }

  /** The table as records, silent longest first. */
  public List<ClientRecord> records() {
    List<ClientRecord> records = new ArrayList<>(clients.size() + writers.size());
    addRecords(writers, records);
    addRecords(clients, records);
    return records;
  }

  private static void addRecords(Map<Long, Client> clients, List<ClientRecord> records) {
    for (Map.Entry<Long, Client> entry : clients.entrySet()) {
      Client client = entry.getValue();
      List<RecordedAnswer> answers = new ArrayList<>(client.answers.size());
      client.answers.forEach(
          (sequence, answer) -> answers.add(new RecordedAnswer(sequence, answer)));
      records.add(
          new ClientRecord(
              entry.getKey(),
              client.applied.copy(),
              client.lastStamp,
              client.answeredBelow,
              answers));
    }
  }

  /** Whether the update was executed and settled. */
  public boolean contains(RequestId id) {
    Client client = clients.get(id.client());
    Client known = client == null ? writers.get(id.client()) : client;
    return known != null && known.applied.contains(id.sequence());
  }

  /** Those of the client's updates that are not known to have been executed and settled. */
  public IntervalSet lacking(long clientId, IntervalSet sequences) {
    Client client = clients.get(clientId);
    Client known = client == null ? writers.get(clientId) : client;
    return known == null ? sequences : sequences.without(known.applied);
  }

  /** Whether nothing is known of the client any more, or ever was. */
  public boolean isUnknown(long client) {
    return !clients.containsKey(client) && !writers.containsKey(client);
  }

  /** The answer to a settled update; null if it is forgotten. */
  public @Nullable Answer answer(RequestId id) {
    Client client = clients.get(id.client());
    return client == null ? null : client.answers.get(id.sequence());
  }

  /** Takes an update that settles. */
  public void settle(RequestId id, long stamp, Answer answer) {
    Client client = clients.computeIfAbsent(id.client(), absent -> new Client());
    client.applied.add(id.sequence());
    client.lastStamp = Math.max(client.lastStamp, stamp);
    if (id.sequence() >= client.answeredBelow) {
      client.answers.put(id.sequence(), answer);
      if (client.answers.size() > ANSWERS_MAX) {
        client.answers.pollFirstEntry();
      }
    }
  }

  /** Takes a change that settles. */
  public void settle(RequestId id, long stamp) {
    Client writer = latestWriter;
    if (writer == null || latestWriterId != id.client()) {
      writer = writers.computeIfAbsent(id.client(), absent -> new Client());
      latestWriter = writer;
      latestWriterId = id.client();
    }
    writer.applied.add(id.sequence());
    writer.lastStamp = Math.max(writer.lastStamp, stamp);
  }

  /** Takes the client's word that it has the answers to all updates below {@code sequence}. */
  public void answered(long clientId, long sequence) {
    Client client = clients.get(clientId);
    if (client != null && sequence > client.answeredBelow) {
      client.answeredBelow = sequence;
      client.answers.headMap(sequence).clear();
    }
  }

  /** Forgets clients that have been silent for too long. */
  public void forget(long nowMillis) {
    latestWriter = null;
    forget(clients, nowMillis - RETENTION_MILLIS);
    forget(writers, nowMillis - WRITER_RETENTION_MILLIS);
  }

  private static void forget(Map<Long, Client> clients, long silentSinceMillis) {
    var eldest = clients.values().iterator();
    while (eldest.hasNext() && Stamp.millis(eldest.next().lastStamp) < silentSinceMillis) {
      eldest.remove();
    }
  }

  private static final class Client {
    final IntervalSet applied = new IntervalSet();
    final TreeMap<Long, Answer> answers = new TreeMap<>();
    long lastStamp;
    long answeredBelow;
  }
}

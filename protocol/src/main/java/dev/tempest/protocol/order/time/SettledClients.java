package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.ClientTable;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Change;
import java.util.Collection;

/** What the client table remembers of entries that settle, and for how long. */
final class SettledClients {
  private SettledClients() {}

  /**
   * The table after entries that have run have settled.
   *
   * @param nowMillis the time of the last of their epochs: who was silent for too long is forgotten
   */
  static ClientTable after(ClientTable before, Collection<Epoch> settles, long nowMillis) {
    ClientTable.Edit clients = before.edit();
    settles.forEach(epoch -> epoch.entries().forEach(each -> take(each, clients)));
    clients.forget(
        Stamp.atMillis(nowMillis - ClientTable.RETENTION_MILLIS),
        Stamp.atMillis(nowMillis - ClientTable.WRITER_RETENTION_MILLIS));
    return clients.done();
  }

  private static void take(LogEntry each, ClientTable.Edit clients) {
    Answer answer = each.answer;
    if (each.entry.body() instanceof Change) {
      clients.wrote(each.entry.id(), each.entry.stamp());
    } else if (answer == null) {
      throw new IllegalStateException("entry " + each.entry.id() + " has not run");
    } else {
      clients.asked(each.entry.id(), each.entry.stamp(), answer, each.answeredBelow);
    }
  }
}

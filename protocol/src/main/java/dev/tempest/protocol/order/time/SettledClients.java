package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import java.util.Collection;

/** What the client table remembers of entries that settle, and for how long. */
record SettledClients(ClientTable.Bounds bounds, int epochMillis) {
  /** The table after entries that have run have settled, all of them through an epoch. */
  ClientTable after(ClientTable before, Collection<Epoch> settles, long throughEpoch) {
    ClientTable clients = before;
    for (Epoch epoch : settles) {
      ClientTable.Edit edit = clients.edit();
      epoch.entries().forEach(each -> take(each, edit));
      clients = edit.done(endOf(epoch.number), bounds);
    }
    return clients.edit().done(endOf(throughEpoch), bounds); // Of a full one some are forgotten.
  }

  /**
   * Whether some who had executed an entry when it first came may have forgotten it by the time at
   * which it counts, even if they have room: so all replicas refuse it, wherever each of them is.
   */
  boolean isTooOld(Entry entry) {
    return entry.stamp() - entry.firstStamp() >= bounds.atMost();
  }

  private long endOf(long epoch) {
    return Stamp.atMillis((epoch + 1) * epochMillis);
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

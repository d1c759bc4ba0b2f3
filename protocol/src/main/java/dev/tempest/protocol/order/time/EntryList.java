package dev.tempest.protocol.order.time;

import dev.tempest.wire.Entry;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;

/**
 * The entries of a window at one moment. Copies references only: a look at each of 400,000 takes 30
 * ms, in which the replica could do nothing else. Immutable.
 */
final class EntryList extends AbstractList<Entry> implements RandomAccess {
  private final List<LogEntry> entries;

  private EntryList(List<LogEntry> entries) {
    this.entries = entries;
  }

  static EntryList of(Collection<Epoch> epochs, int size) {
    List<LogEntry> entries = new ArrayList<>(size);
    epochs.forEach(epoch -> entries.addAll(epoch.entries()));
    return new EntryList(entries);
  }

  @Override
  public Entry get(int index) {
    return entries.get(index).entry;
  }

  @Override
  public int size() {
    return entries.size();
  }
}

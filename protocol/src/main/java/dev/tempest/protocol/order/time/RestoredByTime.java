package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Mix;
import dev.tempest.protocol.order.Restored;
import dev.tempest.wire.Entry;

/**
 * What a replica ordered by time had before its process ended.
 *
 * @param replica its id then
 * @param apartThrough through which epoch others may mean something else by that id; -1 if they do
 *     not
 * @param replicas how many there were then, this one included
 */
public record RestoredByTime(long replica, Snapshot snapshot, long apartThrough, int replicas)
    implements Restored {
  @Override
  public String source() {
    return "its checkpoint";
  }

  @Override
  public long executed() {
    return snapshot.settled().count() + snapshot.unsettled().size();
  }

  @Override
  public CheckpointByTime.Mark mark() {
    long hash = snapshot.settled().hash();
    for (Entry entry : snapshot.unsettled()) {
      hash += Mix.hash(entry);
    }
    return new CheckpointByTime.Mark(executed(), hash, replicas);
  }
}

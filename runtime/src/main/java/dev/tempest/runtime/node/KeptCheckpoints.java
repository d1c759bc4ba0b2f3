package dev.tempest.runtime.node;

import dev.tempest.protocol.checkpoint.CheckpointFiles;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.runtime.flight.Flight;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of one replica. One thread at a time writes them; any may ask what is volatile.
 */
final class KeptCheckpoints {
  private final String name;
  final CheckpointFiles files;
  final Supplier<Optional<Checkpoint>> replica;

  /** Of what is in the latest file; null if there is none. */
  @Nullable Object mark;

  /** What follows the checkpoint, if that is stored; else null. */
  volatile @Nullable StoredLog log;

  /** When there was no more than that, in milliseconds since 1970; 0 if there is no file. */
  volatile long asOfMillis;

  /** Whether a later one could not be written. */
  volatile boolean isFailing;

  /**
   * None is written yet.
   *
   * @param name of the service
   * @param replica what it has; nothing while it has no state
   */
  KeptCheckpoints(String name, CheckpointFiles files, Supplier<Optional<Checkpoint>> replica) {
    this.name = name;
    this.files = files;
    this.replica = replica;
  }

  /** Whether something has come that the latest file does not have. */
  boolean lacks(Checkpoint checkpoint) {
    return mark == null ? checkpoint.executed() > 0 : !checkpoint.mark().equals(mark);
  }

  /** None could be written. */
  void failed(long sinceMillis) {
    isFailing = true;
    Flight.checkpoint(name, false, sinceMillis);
  }

  /** It is in the latest file now. */
  void written(Checkpoint checkpoint, long nowMillis) {
    StoredLog itsLog = log;
    if (itsLog != null && mark != null) { // The one before it may be needed again.
      itsLog.dropBelow((Long) mark);
    }
    mark = checkpoint.mark();
    asOfMillis = nowMillis;
    isFailing = false;
    Flight.checkpoint(name, true, nowMillis);
  }
}

package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Restored;
import dev.tempest.wire.LogMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replica ordered by consensus had before its process ended: a state, and the log from there
 * on.
 */
public final class RestoredByConsensus implements Restored {
  private final @Nullable LogState state;
  private final long replica;
  private final List<LogMessage.Stored> records;
  private final boolean isLost;

  private RestoredByConsensus(
      @Nullable LogState state, long replica, List<LogMessage.Stored> records, boolean isLost) {
    this.state = state;
    this.replica = replica;
    this.records = records;
    this.isLost = isLost;
  }

  /** What a replica wrote into a checkpoint. */
  static RestoredByConsensus of(LogState state, long replica) {
    return new RestoredByConsensus(state, replica, List.of(), false);
  }

  /**
   * It had a log, which cannot be read: nobody knows what it had promised, so it is another
   * replica, and founds no group, in which nothing of that would be.
   *
   * @param replica which one it has been since, and has promised nothing as; 0 for none
   */
  public static RestoredByConsensus lost(long replica) {
    return new RestoredByConsensus(null, replica, List.of(), true);
  }

  /**
   * With what was stored of the log. A checkpoint of another replica, which was here before, does
   * not count: by its promises this one has less.
   *
   * @param checkpoint null if there is none
   * @param replica which one has stored the log
   * @throws dev.tempest.values.encoding.MalformedException if some of it is missing
   */
  public static RestoredByConsensus of(
      @Nullable Restored checkpoint, long replica, List<LogMessage.Stored> records) {
    LogState state =
        checkpoint instanceof RestoredByConsensus had && had.replica == replica ? had.state : null;
    RestoredByConsensus restored = new RestoredByConsensus(state, replica, records, false);
    restored.acceptor(); // So that it is refused where it was read.
    return restored;
  }

  @Override
  public long replica() {
    return replica;
  }

  /** Whether it had a log that cannot be read. */
  boolean isLost() {
    return isLost;
  }

  /** The state with which its log begins; null if that is the whole one. */
  @Nullable LogState state() {
    return state;
  }

  /** What it has promised and accepted. */
  Acceptor acceptor() {
    return Acceptor.restored(state == null ? null : state.point(), records);
  }

  @Override
  public String source() {
    if (isLost) {
      return "";
    }
    return state == null ? "its log" : "its checkpoint and its log";
  }

  @Override
  public long executed() {
    return state == null ? 0 : state.point().executed();
  }

  @Override
  public Long mark() {
    return state == null ? 0 : state.point().slot();
  }
}

package dev.tempest.simulator;

import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The disk of a replica of a {@link LogWorld}, and what is on it. */
final class LogDisk {
  private final List<LogMessage.Stored> stored = new ArrayList<>();
  private final long syncNanos;
  private @Nullable LogPoint state;
  private @Nullable LogPoint unstoredState;

  /** All that comes until then is written together. */
  private long writesFrom = -1;

  private long writesUntil;

  /** One that takes so long for each sync. */
  LogDisk(long syncNanos) {
    this.syncNanos = syncNanos;
  }

  /** All that was ever stored, in its order. */
  List<LogMessage.Stored> stored() {
    return stored;
  }

  /** The latest state that is there; null for none, and where nothing was stored yet. */
  @Nullable LogPoint state() {
    return stored.isEmpty() ? null : state;
  }

  /** A checkpoint was written. */
  void checkpoint(LogPoint point) {
    state = point;
  }

  /** A state took the place of the log: it is written with what is written next. */
  void installed(LogPoint point) {
    unstoredState = point;
  }

  /** What it was about to write is gone. */
  void crash(long nowNanos) {
    writesFrom = -1;
    writesUntil = nowNanos;
    unstoredState = null;
  }

  /** When something is there, with all before it. */
  long writtenNanos(boolean isMore, long nowNanos, long variesNanos) {
    if (isMore && writesFrom < nowNanos) {
      writesFrom = Math.max(writesUntil, nowNanos);
      writesUntil = writesFrom + syncNanos + variesNanos;
    }
    return Math.max(writesUntil, nowNanos);
  }

  /** Takes what is to be written now; it is there once what is returned has run. */
  Runnable write(List<LogMessage.Stored> records) {
    LogPoint taken = unstoredState;
    unstoredState = null;
    return () -> {
      state = taken == null ? state : taken;
      stored.addAll(records);
    };
  }
}

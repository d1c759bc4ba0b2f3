package dev.tempest.protocol.order.log;

import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The disk of a replica of a {@link GroupWorld}, and what is on it. */
final class GroupDisk {
  final List<LogMessage.Stored> stored = new ArrayList<>();
  @Nullable LogPoint state;
  @Nullable LogPoint unstoredState;

  private final long syncNanos;

  /** All that comes until then is written together. */
  private long writesFrom = -1;

  private long writesUntil;

  /** One that takes so long for each sync. */
  GroupDisk(long syncNanos) {
    this.syncNanos = syncNanos;
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

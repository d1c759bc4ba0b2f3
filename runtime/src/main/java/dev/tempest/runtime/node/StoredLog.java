package dev.tempest.runtime.node;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.checkpoint.LogFiles;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.wire.LogMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The log of one replica on the disk of its process. What the loop hands over is written by another
 * thread, all that has come meanwhile at once, and the loop sends what may be sent then.
 *
 * <p>After a failure nothing is written any more: nobody knows what is on the disk.
 */
final class StoredLog {
  /** Writes checkpoints of the same replica. */
  interface CheckpointWriter {
    /** Writes one at once. */
    void write(Checkpoint checkpoint) throws IOException;

    /** Writes one some time soon. */
    void writeSoon();
  }

  /** So much may wait, and be said again and again, while a disk hangs: for some minutes. */
  static final int WAITING_MAX = 10_000;

  private final LogFiles files;
  private final Executor thread;
  private final CheckpointWriter checkpoints;
  private final Runnable wakeup;
  private final Queue<Effect.Persist> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waitingCount = new AtomicInteger();
  private final Queue<Effect.Send> ready = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isWriting = new AtomicBoolean();

  private volatile @Nullable Throwable failure;
  private volatile boolean closed;

  /**
   * A log that has been read.
   *
   * @param thread runs one task after the other
   * @param wakeup of the loop
   */
  StoredLog(LogFiles files, Executor thread, CheckpointWriter checkpoints, Runnable wakeup) {
    this.files = files;
    this.thread = thread;
    this.checkpoints = checkpoints;
    this.wakeup = wakeup;
  }

  /** From now on this replica writes. */
  void begin(long replica) {
    execute(() -> files.begin(replica));
  }

  /**
   * Stores what is to be stored, and makes {@link #takeReady} what may be sent then. Where that
   * waits for too long, what stores nothing is left out: replicas say it again.
   */
  void persist(Effect.Persist persist) {
    boolean storesNothing = persist.records().isEmpty() && persist.state() == null;
    if (storesNothing && waitingCount.get() >= WAITING_MAX) {
      return;
    }
    waitingCount.incrementAndGet();
    waiting.add(persist);
    if (!isWriting.getAndSet(true)) {
      execute(this::writeAll);
    }
  }

  private void writeAll() throws IOException {
    isWriting.set(false);
    for (Effect.Persist next = next(); next != null; ) {
      next = goOn(next);
    }
  }

  private Effect.@Nullable Persist next() {
    Effect.Persist next = waiting.poll();
    if (next != null) {
      waitingCount.decrementAndGet();
    }
    return next;
  }

  /** Writes this and all that has come since, up to a state; what comes with that is left. */
  private Effect.@Nullable Persist goOn(Effect.Persist first) throws IOException {
    List<Effect.Send> sends = new ArrayList<>();
    boolean isMore = false;
    boolean isUnsynced = false;
    Effect.Persist next = withoutState(first);
    for (; next != null && next.state() == null; next = next()) {
      boolean relies = files.rely(!next.synced());
      List<LogMessage.Stored> records = next.records();
      if (!records.isEmpty()) {
        files.write(records);
        isUnsynced |= !relies;
        isMore = true;
      }
      sends.addAll(next.after());
    }
    if (isUnsynced) {
      files.sync();
    }
    if (isMore && files.isLong()) {
      checkpoints.writeSoon();
    }
    ready.addAll(sends);
    wakeup.run();
    return next;
  }

  /** Its state, if it has one, is written by then. */
  private Effect.Persist withoutState(Effect.Persist persist) throws IOException {
    Checkpoint state = persist.state();
    if (state == null) {
      return persist;
    }
    checkpoints.write(state);
    return new Effect.Persist(null, persist.records(), persist.synced(), persist.after());
  }

  /** What may be sent by now, once. */
  Effect.@Nullable Send takeReady() {
    return ready.poll();
  }

  /** What lies before a slot is in the checkpoints that there are. */
  void dropBelow(long slot) {
    execute(() -> files.dropBelow(slot));
  }

  /** Nothing is written any more: its replica may go on for a moment. */
  void close() {
    execute(files::close);
    closed = true;
  }

  /** Why nothing is written any more; null if all is well. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Says whose it is, and where. */
  @Override
  public String toString() {
    return files.toString();
  }

  /** Work with the files. */
  private interface Work {
    void run() throws IOException;
  }

  private void execute(Work work) {
    if (closed) {
      return;
    }
    try {
      thread.execute(() -> {
        if (failure == null) {
          attempt(work);
        }
      });
    } catch (RejectedExecutionException closed) {
      return; // The process ends, and says nothing any more.
    }
  }

  private void attempt(Work work) {
    try {
      work.run();
    } catch (IOException | RuntimeException | Error failed) {
      failure = failed;
      wakeup.run();
    }
  }
}

package dev.tempest.runtime.node;

import dev.tempest.config.CheckpointConfig;
import dev.tempest.config.CheckpointConfig.Log;
import dev.tempest.config.ConfigException;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.file.DurationText;
import dev.tempest.protocol.checkpoint.CheckpointFiles;
import dev.tempest.protocol.checkpoint.ForeignCheckpointException;
import dev.tempest.protocol.checkpoint.LogFiles;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Orders;
import dev.tempest.protocol.order.Restored;
import dev.tempest.runtime.LogLimit;
import dev.tempest.runtime.disk.FolderDisk;
import dev.tempest.runtime.node.StoredLog.CheckpointWriter;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.CheckpointAge;
import dev.tempest.wire.Message;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of one process: reads them when a replica begins, and writes them every so often
 * and at the end, in a thread of their own that rests as long as it works. Whatever is wrong with
 * the disk, it says so and service goes on; but a log that cannot be written stops its replica.
 *
 * <p>Thread-safe.
 */
final class Checkpoints implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Checkpoints.class.getName());
  private static final long REST_MAX_NANOS = 100_000_000;
  private static final int LOGS_END_SECONDS = 5;
  private static final String KEY = "checkpoint-folder";
  private static final String REMEDY =
      "name another folder, or move that file away if nobody needs what is in it";

  /** The checkpoints of one replica. */
  private static final class Kept {
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

    Kept(CheckpointFiles files, Supplier<Optional<Checkpoint>> replica) {
      this.files = files;
      this.replica = replica;
    }
  }

  private final String cluster;
  private final CheckpointConfig config;
  private final FolderDisk disk;
  private final ScheduledThreadPoolExecutor thread;
  private final ExecutorService logs;
  private final LogLimit failures = new LogLimit();

  /** By the names of services; guarded by itself. */
  private final Map<String, Kept> all = new LinkedHashMap<>();

  private volatile boolean closed;

  private Checkpoints(String cluster, CheckpointConfig config, Path folder) {
    this.cluster = cluster;
    this.config = config;
    this.disk = new FolderDisk(folder);
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread writer = new Thread(work, "tempest-checkpoints");
              writer.setDaemon(true);
              return writer;
            });
    this.logs =
        Executors.newSingleThreadExecutor(work -> {
          Thread writer = new Thread(work, "tempest-log");
          writer.setDaemon(true);
          return writer;
        });
  }

  /**
   * Those of a process, if it is to have any.
   *
   * @throws ConfigException if another process has its own in the same folder, or there is none for
   *     logs that are to be stored
   */
  static Optional<Checkpoints> open(NodeConfig config) {
    if (config.checkpoints().log() != Log.MEMORY && config.checkpoints().folder().isEmpty()) {
      throw new ConfigException(
          "log", "logs are to be stored, and there is no folder for them", "write a " + KEY);
    }
    return config
        .checkpoints()
        .folder()
        .map(folder -> {
          Checkpoints opened = new Checkpoints(config.cluster(), config.checkpoints(), folder);
          opened.own();
          return opened;
        });
  }

  private void own() {
    try {
      if (!disk.own()) {
        throw new ConfigException(
            KEY,
            "another process has its checkpoints in " + disk,
            "write a checkpoint-folder for each process");
      }
    } catch (IOException unwritable) {
      LOGGER.log(Level.WARNING, "There will be no checkpoints in {0}: {1}", disk, unwritable);
    }
  }

  /** Begins to write. */
  void start() {
    long everyMillis = config.every().toMillis();
    var unused =
        thread.scheduleWithFixedDelay(
            this::writeAll, everyMillis, everyMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Reads what a replica begins with, and writes what it has from now on.
   *
   * @param replica what it has; nothing while it has no state
   * @return null if there is no checkpoint of it
   * @throws ConfigException if there is one that is not for this process
   */
  @Nullable Restored read(
      String name, Order order, ServiceInstance service, Supplier<Optional<Checkpoint>> replica) {
    Kept kept = new Kept(new CheckpointFiles(disk, cluster, name), replica);
    Restored restored = read(name, kept, order, service);
    kept.mark = restored == null ? null : restored.mark();
    synchronized (all) {
      all.put(name, kept);
    }
    return restored;
  }

  /**
   * Reads the log that follows a checkpoint which was {@link #read}.
   *
   * @param wakeup of the loop
   * @return what to begin with, and where to go on writing
   * @throws ConfigException if there is one that is not for this process, or none can be written
   */
  RestoredLog readLog(String name, @Nullable Restored state, Runnable wakeup) {
    LogFiles files = new LogFiles(disk, cluster, name, LogFiles.FILE_BYTES);
    try {
      if (!disk.own()) {
        throw new IOException("another process owns " + disk);
      }
      Restored restored = restored(name, files, state);
      Kept kept = Objects.requireNonNull(kept(name));
      kept.mark = restored == null ? null : restored.mark();
      StoredLog log = new StoredLog(files, logs, writer(name, kept), wakeup);
      kept.log = log;
      return new RestoredLog(restored, log);
    } catch (IOException failed) {
      throw refusal(
          "the log of %s in %s cannot be read or written: %s".formatted(name, disk, failed),
          "let this process read and write there, or name another folder",
          failed);
    } catch (ForeignCheckpointException foreign) {
      throw refusal(String.valueOf(foreign.getMessage()), REMEDY, foreign);
    }
  }

  private CheckpointWriter writer(String name, Kept kept) {
    AtomicBoolean isDue = new AtomicBoolean();
    return new CheckpointWriter() {
      @Override
      public void write(Checkpoint checkpoint) throws IOException {
        writeNow(kept, checkpoint);
      }

      @Override
      public void writeSoon() {
        if (!closed && !isDue.getAndSet(true)) {
          thread.execute(() -> {
            Checkpoints.this.write(name, kept);
            isDue.set(false);
          });
        }
      }
    };
  }

  /** What a replica begins with, and where it goes on writing. */
  record RestoredLog(@Nullable Restored restored, StoredLog log) {}

  private @Nullable Restored restored(String name, LogFiles files, @Nullable Restored state)
      throws IOException {
    LogFiles.Found found = files.read(state);
    String damaged = found.damaged();
    try {
      if (damaged.isEmpty() && found.wasLost()) {
        return Orders.withoutLog(found.replica());
      }
      if (damaged.isEmpty() && found.replica() != 0) {
        return Orders.withLog(state, found.replica(), found.records());
      }
    } catch (MalformedException incomplete) {
      damaged = incomplete.getMessage() + "";
    }
    if (!damaged.isEmpty()) {
      LOGGER.log(
          Level.WARNING,
          "The log of {0} in {1} may lack what this member had promised: {2}. So it joins as"
              + " another one, and takes the state of the others. The files are kept as they are,"
              + " under names that end in .damaged",
          name,
          disk,
          damaged);
      files.setAside();
      return Orders.withoutLog(0);
    }
    return null;
  }

  private @Nullable Kept kept(String name) {
    synchronized (all) {
      return all.get(name);
    }
  }

  private @Nullable Restored read(String name, Kept kept, Order order, ServiceInstance service) {
    try {
      CheckpointFiles.Found found = kept.files.read(() -> Orders.restoring(order, name, service));
      kept.asOfMillis = found.writtenMillis();
      found.complaints().forEach(complaint -> LOGGER.log(Level.WARNING, complaint));
      Restored restored = found.restored();
      if (restored != null) {
        LOGGER.log(
            Level.INFO,
            "{0} comes back with {2}, written at {3}; updates in it: {1}",
            name,
            restored.executed(),
            found.file(),
            Instant.ofEpochMilli(found.writtenMillis()));
      } else if (!found.complaints().isEmpty()) {
        LOGGER.log(
            Level.WARNING,
            "No checkpoint of {0} is whole: it begins with what other members have, or with"
                + " nothing",
            name);
      }
      return restored;
    } catch (IOException unreadable) {
      throw refusal(
          "the checkpoints of %s in %s cannot be read: %s".formatted(name, disk, unreadable),
          "let this process read them, or " + REMEDY,
          unreadable);
    } catch (ForeignCheckpointException foreign) {
      throw refusal(String.valueOf(foreign.getMessage()), REMEDY, foreign);
    }
  }

  private static ConfigException refusal(String problem, String remedy, Exception cause) {
    ConfigException refusal = new ConfigException(KEY, problem, remedy);
    refusal.initCause(cause);
    return refusal;
  }

  /** Writes no more of a replica. What is written stays. */
  void withdraw(String name) {
    Kept withdrawn;
    synchronized (all) {
      withdrawn = all.remove(name);
    }
    if (withdrawn != null && withdrawn.log != null) {
      withdrawn.log.close();
    }
  }

  /** How old the latest checkpoint of a replica is. */
  CheckpointAge age(String name) {
    Kept kept = kept(name);
    if (kept == null) {
      return CheckpointAge.NONE;
    }
    long asOfMillis = kept.asOfMillis;
    long ageMillis =
        asOfMillis == 0
            ? Message.NOT_KNOWN
            : Math.max(0, System.currentTimeMillis() - asOfMillis); // Clocks are set, too.
    return new CheckpointAge(ageMillis, kept.isFailing);
  }

  private void writeAll() {
    Map<String, Kept> now;
    synchronized (all) {
      now = new LinkedHashMap<>(all);
    }
    now.forEach(this::write);
  }

  private synchronized void write(String name, Kept kept) {
    try {
      long nowMillis = System.currentTimeMillis();
      Checkpoint checkpoint = kept.replica.get().orElse(null);
      if (checkpoint != null && checkpoint.mark().equals(kept.mark)) {
        kept.asOfMillis = nowMillis;
      }
      if (!disk.own()) { // People should know before there is something to write.
        throw new IOException("another process has its checkpoints there");
      }
      if (checkpoint == null || !isNew(checkpoint, kept)) {
        kept.isFailing = false;
        return;
      }
      CheckpointFiles.Writing writing = kept.files.write(checkpoint, nowMillis);
      long workedSinceNanos = System.nanoTime();
      while (writing.next()) {
        rest(System.nanoTime() - workedSinceNanos);
        workedSinceNanos = System.nanoTime();
      }
      written(kept, checkpoint, nowMillis);
      LOGGER.log(Level.DEBUG, "Wrote {0}", writing.file());
    } catch (IOException | RuntimeException | Error failed) {
      kept.isFailing = true;
      if (failures.admits(System.nanoTime())) {
        LOGGER.log(
            Level.WARNING,
            "The checkpoint of {0} could not be written into {1}: {2}. {4}, and it is tried again"
                + " in {3}. "
                + LogLimit.OTHERS,
            name,
            disk,
            failed,
            DurationText.of(config.every()),
            kept.mark == null ? "There is none before it" : "The one before it counts");
      }
    }
  }

  /** Without a rest: somebody waits. */
  private synchronized void writeNow(Kept kept, Checkpoint checkpoint) throws IOException {
    long nowMillis = System.currentTimeMillis();
    CheckpointFiles.Writing writing = kept.files.write(checkpoint, nowMillis);
    boolean more = true;
    while (more) {
      more = writing.next();
    }
    written(kept, checkpoint, nowMillis);
  }

  private static void written(Kept kept, Checkpoint checkpoint, long nowMillis) {
    StoredLog log = kept.log;
    if (log != null && kept.mark != null) { // The one before it may be needed again.
      log.dropBelow((Long) kept.mark);
    }
    kept.mark = checkpoint.mark();
    kept.asOfMillis = nowMillis;
    kept.isFailing = false;
  }

  private static boolean isNew(Checkpoint checkpoint, Kept kept) {
    return kept.mark == null ? checkpoint.executed() > 0 : !checkpoint.mark().equals(kept.mark);
  }

  /** At the end there is nobody to leave the disk to. */
  private void rest(long workedNanos) {
    if (!closed) {
      LockSupport.parkNanos(Math.min(workedNanos, REST_MAX_NANOS));
    }
  }

  /** Writes what is new, and no more. */
  @Override
  public void close() {
    closed = true;
    thread.shutdown();
    writeAll();
    endLogs();
    try {
      disk.close();
    } catch (IOException ended) {
      return; // The process ends, and with it what it owns.
    }
  }

  /** Nobody else is to own the folder while it writes; but a disk that hangs holds up nobody. */
  private void endLogs() {
    synchronized (all) {
      for (Kept kept : all.values()) {
        StoredLog log = kept.log;
        if (log != null) {
          log.close();
        }
      }
    }
    logs.shutdown();
    try {
      var unused = logs.awaitTermination(LOGS_END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }
}

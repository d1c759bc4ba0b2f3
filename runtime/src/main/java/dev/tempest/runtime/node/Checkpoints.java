package dev.tempest.runtime.node;

import dev.tempest.config.CheckpointConfig;
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
import dev.tempest.runtime.LogLines;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  private static final System.Logger LOGGER = LogLines.logger(Checkpoints.class);
  private static final long REST_MAX_NANOS = 100_000_000;

  /** For so long nothing of at most 16 MiB may come of a disk at the end: then it hangs. */
  private static final long HANGS_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  static final String KEY = "checkpoint-folder";
  private static final String REMEDY =
      "name another folder, or move that file away if nobody needs what is in it";
  private static final String AS_BEFORE = "host it as before, or " + REMEDY;

  private final String cluster;
  private final CheckpointConfig config;
  private final FolderDisk disk;
  private final ScheduledThreadPoolExecutor thread;

  /** None waits for another log: disks take many syncs at once. */
  private final ExecutorService logs;

  private final LogLimit failures = new LogLimit();

  /** By the names of services; guarded by itself. */
  private final Map<String, KeptCheckpoints> all = new LinkedHashMap<>();

  /** What the last round at the end has not come to yet. */
  private final Set<String> unwritten = ConcurrentHashMap.newKeySet();

  /** When the disk has taken something, or nobody waited for it. */
  private volatile long progressNanos;

  private volatile boolean closed;

  private Checkpoints(String cluster, CheckpointConfig config, Path folder) {
    this.cluster = cluster;
    this.config = config;
    this.disk = new FolderDisk(folder);
    this.thread = new ScheduledThreadPoolExecutor(1, daemons("tempest-checkpoints"));
    this.logs = Executors.newCachedThreadPool(daemons("tempest-log"));
  }

  private static ThreadFactory daemons(String name) {
    return Thread.ofPlatform().daemon().name(name).factory();
  }

  /**
   * Those of a process, if it is to have any.
   *
   * @throws ConfigException if another process has its own in the same folder
   */
  static Optional<Checkpoints> open(NodeConfig config) {
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
   * Reads what a replica begins with, and writes what it has from now on: the one place that
   * decides what of the folder counts.
   *
   * @param replica what it has; nothing while it has no state
   * @param wakeup of the loop
   * @throws ConfigException if there is something of it that is not for this process, or that it
   *     would begin without; or its log cannot be written
   */
  Begun begin(
      String name,
      Order order,
      ServiceInstance service,
      Supplier<Optional<Checkpoint>> replica,
      Runnable wakeup) {
    leftBehind(name).ifPresent(left -> left.requireRead(order));
    return switch (order) {
      case Order.ByTime byTime -> new Begun(read(name, order, service, replica), null);
      case Order.ByConsensus log when log.stores() ->
          readLog(name, read(name, order, service, replica), wakeup);
      case Order.ByConsensus inMemory -> Begun.WITH_NOTHING;
    };
  }

  /**
   * Nothing of that name is hosted.
   *
   * @param instead what would happen to it
   * @throws ConfigException if something of it is there, and would be lost in silence
   */
  void requireNone(String name, String instead) {
    leftBehind(name).ifPresent(left -> left.requireNothing(instead));
  }

  /**
   * Nothing if it cannot be told: where nothing can be read, nothing keeps service from going on.
   */
  private Optional<LeftBehind> leftBehind(String name) {
    try {
      return Optional.of(LeftBehind.of(disk, cluster, name));
    } catch (IOException unreadable) {
      LOGGER.log(Level.WARNING, "It cannot be told what is in {0}: {1}", disk, unreadable);
      return Optional.empty();
    }
  }

  /** What its checkpoint holds; null if there is none. */
  private @Nullable Restored read(
      String name, Order order, ServiceInstance service, Supplier<Optional<Checkpoint>> replica) {
    KeptCheckpoints kept =
        new KeptCheckpoints(name, new CheckpointFiles(disk, cluster, name), replica);
    Restored restored = read(name, kept, order, service);
    kept.mark = restored == null ? null : restored.mark();
    synchronized (all) {
      all.put(name, kept);
    }
    return restored;
  }

  /** Reads the log that follows a checkpoint which was {@link #read}. */
  private Begun readLog(String name, @Nullable Restored state, Runnable wakeup) {
    LogFiles files = new LogFiles(disk, cluster, name, LogFiles.FILE_BYTES);
    try {
      if (!disk.own()) {
        throw new IOException("another process owns " + disk);
      }
      Restored restored = restored(name, files, state);
      KeptCheckpoints kept = Objects.requireNonNull(kept(name));
      kept.mark = restored == null ? null : restored.mark();
      StoredLog log = new StoredLog(files, new InTurn(logs), writer(name, kept), wakeup);
      kept.log = log;
      return new Begun(restored, log);
    } catch (IOException failed) {
      throw refusal(
          "the log of %s in %s cannot be read or written: %s".formatted(name, disk, failed),
          "let this process read and write there, or name another folder",
          failed);
    } catch (ForeignCheckpointException foreign) {
      throw refusal(String.valueOf(foreign.getMessage()), AS_BEFORE, foreign);
    }
  }

  private CheckpointWriter writer(String name, KeptCheckpoints kept) {
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

  private @Nullable Restored restored(String name, LogFiles files, @Nullable Restored state)
      throws IOException {
    LogFiles.Found found = files.read(state);
    String damaged = found.damaged();
    try {
      if (damaged.isEmpty() && found.wasLost()) {
        LOGGER.log(
            Level.WARNING,
            "The log of {0} in {1} was set aside, in files that end in .damaged. So this member"
                + " joins as another one, and takes the state of the others",
            name,
            disk);
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

  private @Nullable KeptCheckpoints kept(String name) {
    synchronized (all) {
      return all.get(name);
    }
  }

  private @Nullable Restored read(
      String name, KeptCheckpoints kept, Order order, ServiceInstance service) {
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
      throw refusal(String.valueOf(foreign.getMessage()), AS_BEFORE, foreign);
    }
  }

  private static ConfigException refusal(String problem, String remedy, Exception cause) {
    ConfigException refusal = new ConfigException(KEY, problem, remedy);
    refusal.initCause(cause);
    return refusal;
  }

  /** Writes no more of a replica. What is written stays. */
  void withdraw(String name) {
    KeptCheckpoints withdrawn;
    synchronized (all) {
      withdrawn = all.remove(name);
    }
    if (withdrawn != null && withdrawn.log != null) {
      withdrawn.log.close();
    }
  }

  /** How old the latest checkpoint of a replica is. */
  CheckpointAge age(String name) {
    KeptCheckpoints kept = kept(name);
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
    allNow().forEach(this::write);
  }

  private Map<String, KeptCheckpoints> allNow() {
    synchronized (all) {
      return new LinkedHashMap<>(all);
    }
  }

  private void writeLast() {
    allNow()
        .forEach((name, kept) -> {
          write(name, kept);
          unwritten.remove(name);
          progressNanos = System.nanoTime();
        });
  }

  private void write(String name, KeptCheckpoints kept) {
    synchronized (kept) {
      writeIfNew(name, kept);
    }
  }

  private void writeIfNew(String name, KeptCheckpoints kept) {
    long nowMillis = System.currentTimeMillis();
    try {
      Checkpoint checkpoint = kept.replica.get().orElse(null);
      if (checkpoint != null && checkpoint.mark().equals(kept.mark)) {
        kept.asOfMillis = nowMillis;
      }
      if (!disk.own()) { // People should know before there is something to write.
        throw new IOException("another process has its checkpoints there");
      }
      if (checkpoint == null || !kept.lacks(checkpoint)) {
        kept.isFailing = false;
        return;
      }
      CheckpointFiles.Writing writing = kept.files.write(checkpoint, nowMillis);
      long workedSinceNanos = System.nanoTime();
      while (next(writing)) {
        rest(System.nanoTime() - workedSinceNanos);
        workedSinceNanos = System.nanoTime();
      }
      kept.written(checkpoint, nowMillis);
      LOGGER.log(Level.DEBUG, "Wrote {0}", writing.file());
    } catch (IOException | RuntimeException | Error failed) {
      kept.failed(nowMillis);
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
  private void writeNow(KeptCheckpoints kept, Checkpoint checkpoint) throws IOException {
    synchronized (kept) {
      long nowMillis = System.currentTimeMillis();
      CheckpointFiles.Writing writing = kept.files.write(checkpoint, nowMillis);
      boolean more = true;
      while (more) {
        more = next(writing);
      }
      kept.written(checkpoint, nowMillis);
    }
  }

  private boolean next(CheckpointFiles.Writing writing) throws IOException {
    boolean more = writing.next();
    progressNanos = System.nanoTime();
    return more;
  }

  /** At the end there is nobody to leave the disk to. */
  private void rest(long workedNanos) {
    if (!closed) {
      LockSupport.parkNanos(Math.min(workedNanos, REST_MAX_NANOS));
    }
  }

  /**
   * Writes what is new, and no more. However much that is, it waits as long as the disk takes it,
   * and not for a disk that hangs.
   */
  @Override
  public void close() {
    closed = true;
    progressNanos = System.nanoTime();
    unwritten.addAll(allNow().keySet());
    boolean interrupted = awaits(thread.submit(this::writeLast));
    closeLogs();
    Future<?> end = thread.submit(this::disown); // Whenever it comes to that: nobody else owns it.
    thread.shutdown();
    if (unwritten.isEmpty()) {
      interrupted |= awaits(end);
    } else {
      LOGGER.log(
          Level.WARNING,
          "Nothing more of {0} was written into {1}: the disk has taken nothing for {2} s. Their"
              + " checkpoints before count; what has come since is lost unless other processes have"
              + " it",
          String.join(", ", new TreeSet<>(unwritten)),
          disk,
          TimeUnit.NANOSECONDS.toSeconds(HANGS_NANOS));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeLogs() {
    synchronized (all) {
      for (KeptCheckpoints kept : all.values()) {
        StoredLog log = kept.log;
        if (log != null) {
          log.close();
        }
      }
    }
    logs.shutdown();
  }

  /** Waits until the thread has done something, or the disk hangs; whether it was interrupted. */
  private boolean awaits(Future<?> work) {
    boolean interrupted = false;
    while (!work.isDone() && System.nanoTime() - progressNanos < HANGS_NANOS) {
      try {
        work.get(LOOK_NANOS, TimeUnit.NANOSECONDS);
      } catch (TimeoutException | ExecutionException lookAgain) {
        // It is done, or not yet.
      } catch (InterruptedException ending) {
        interrupted = true;
      }
    }
    return interrupted;
  }

  /** Nobody else is to own the folder while something may be written there. */
  private void disown() {
    try {
      var unused = logs.awaitTermination(HANGS_NANOS, TimeUnit.NANOSECONDS);
      disk.close();
    } catch (IOException | InterruptedException ended) {
      return; // The process ends, and with it what it owns.
    }
  }
}

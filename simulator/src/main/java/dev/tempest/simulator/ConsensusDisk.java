package dev.tempest.simulator;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.checkpoint.CheckpointFiles;
import dev.tempest.protocol.checkpoint.LogFiles;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Order.ByConsensus.Log;
import dev.tempest.protocol.order.Restored;
import dev.tempest.protocol.order.log.RestoredByConsensus;
import dev.tempest.protocol.order.log.RestoringByConsensus;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.values.encoding.MalformedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The disk of a server that stores its log: it takes its time, sometimes much of it; a machine that
 * ends loses what was not synced, or a part of it; a log may be damaged; and until somebody mends
 * it, it is full, cannot be written, or loses what it should sync.
 */
final class ConsensusDisk {
  /** How a disk fails. */
  enum Fault {
    FULL,
    READ_ONLY,
    FAILS_TO_SYNC
  }

  /** So little is left on a disk that is about to be full. */
  private static final int LEFT_MAX_BYTES = 4_000;

  private static final int ADAPTIVE_PERCENT = 20;
  private static final int DISK_PERCENT = 30;
  private static final long MILLI = 1_000_000;
  private static final String CLUSTER = "simulation";
  private static final String SERVICE = "replicas";
  private static final int FILE_BYTES_MAX = 20_000;

  /** So many of the disks take so long for each sync: longer than a leader may be silent. */
  private static final int SLOW_PERCENT = 25;

  private static final int SLOW_MIN_MICROS = 70_000;
  private static final int SLOW_MAX_MICROS = 120_000;

  private final ConsensusWorld world;
  private final ConsensusServer server;
  private final String name;
  private final boolean isSlow;
  private final int slowPercent;
  private final SimDisk disk;
  private LogFiles log;
  private CheckpointFiles checkpoints;
  private List<Waiting> waiting = new ArrayList<>();
  private int lives;
  private boolean isWriting;

  /** Something may fail with whatever is written next. */
  private boolean fails;

  /** Something has failed: nothing is written any more. */
  private boolean failed;

  /** What the checkpoint has that counts if the latest is damaged. */
  private long previous;

  private record Waiting(Effect.Persist persist, Consumer<Effect.Send> send) {}

  /** Where servers keep what they agree to. */
  static Log drawLog(Randomness random) {
    int percent = random.below(100);
    if (percent < ADAPTIVE_PERCENT) {
      return Log.ADAPTIVE;
    }
    return percent < ADAPTIVE_PERCENT + DISK_PERCENT ? Log.DISK : Log.MEMORY;
  }

  ConsensusDisk(ConsensusWorld world, ConsensusServer server) {
    this.world = world;
    this.server = server;
    this.name = server.name();
    this.isSlow = world.random().chance(SLOW_PERCENT);
    this.slowPercent = world.random().chance(20) ? 20 : 1;
    this.disk = new SimDisk(new SplittableRandom(world.random().nextLong()));
    this.log = new LogFiles(disk, CLUSTER, SERVICE, FILE_BYTES_MAX);
    this.checkpoints = new CheckpointFiles(disk, CLUSTER, SERVICE);
  }

  /**
   * Its process has ended, and maybe its machine as well.
   *
   * @param mayForget whether the machine may end if the log relies on it
   */
  void crash(boolean mayForget) {
    lives++;
    waiting = new ArrayList<>();
    isWriting = false;
    failed = false;
    if (world.random().chance(50) && (mayForget || !log.relies())) {
      world.trace(name, "loses its power" + (log.relies() ? ", on which it relied" : ""));
      disk.crash();
    }
  }

  /** From now on it fails. */
  void fail(Fault fault) {
    world.trace(name, "has a disk that is wrong: " + fault);
    fails = true;
    switch (fault) {
      case FULL -> disk.free(disk.usedBytes() + world.random().below(LEFT_MAX_BYTES));
      case READ_ONLY -> disk.readOnly(true);
      case FAILS_TO_SYNC -> disk.failToSync(true);
    }
  }

  /** Nothing of it fails any more. */
  void mend() {
    fails = false;
    disk.free(Long.MAX_VALUE);
    disk.readOnly(false);
    disk.failToSync(false);
  }

  /** Whether something of it fails. */
  boolean fails() {
    return fails || failed;
  }

  /** Its server ends a moment later, which stores nothing and hears of nothing stored any more. */
  private void failed(IOException why) {
    world.trace(name, "cannot write its log: " + why.getMessage());
    failed = true;
    int life = lives;
    world.after(
        1,
        () -> {
          if (life == lives) {
            server.logFailed();
          }
        });
  }

  /** What was stored first is not what was written. */
  void damage() {
    disk.names().stream()
        .filter(file -> file.endsWith(".log"))
        .findFirst()
        .ifPresent(file -> {
          world.trace(name, "has a damaged log, " + file);
          disk.flip(file, world.random().below(100));
        });
  }

  /** What a process finds that starts; null for nothing that counts. */
  @Nullable RestoredByConsensus read(ServiceInstance service) {
    mend();
    log = new LogFiles(disk, CLUSTER, SERVICE, FILE_BYTES_MAX);
    checkpoints = new CheckpointFiles(disk, CLUSTER, SERVICE);
    try {
      Restored state =
          checkpoints
              .read(() -> new RestoringByConsensus(ConsensusWorld.SERVICE, service))
              .restored();
      previous = 0;
      LogFiles.Found found = log.read(state);
      if (!found.damaged().isEmpty()) {
        world.trace(name, found.damaged());
        log.setAside();
        return RestoredByConsensus.lost(0);
      }
      if (found.wasLost()) {
        return RestoredByConsensus.lost(found.replica());
      }
      if (found.replica() == 0) {
        return null;
      }
      RestoredByConsensus restored =
          RestoredByConsensus.of(state, found.replica(), found.records());
      previous = restored.mark();
      return restored;
    } catch (MalformedException incomplete) {
      throw new Violation.Found(
          new Violation(
              Violation.Kind.LOST,
              "%s comes back, and of its log %s".formatted(name, incomplete.getMessage())));
    } catch (IOException impossible) {
      throw new IllegalStateException("this disk can always be read", impossible);
    }
  }

  /** From now on this replica writes. */
  void begin(long replica) {
    try {
      log.begin(replica);
    } catch (IOException impossible) {
      throw new IllegalStateException("this disk can always be written", impossible);
    }
    checkLater(lives);
  }

  private void checkLater(int life) {
    world.after(
        world.random().between(100, 1_500) * MILLI,
        () -> {
          if (life == lives) {
            writeCheckpointIfPossible(world.checkpoint(this));
            checkLater(life);
          }
        });
  }

  private void writeCheckpointIfPossible(@Nullable Checkpoint checkpoint) {
    try {
      writeCheckpoint(checkpoint);
    } catch (IOException later) {
      world.trace(name, "writes no checkpoint: " + later.getMessage());
    }
  }

  private void writeCheckpoint(@Nullable Checkpoint checkpoint) throws IOException {
    if (checkpoint == null) {
      return;
    }
    CheckpointFiles.Writing writing = checkpoints.write(checkpoint, world.nowNanos() / MILLI);
    boolean more = true;
    while (more) {
      more = writing.next();
    }
    log.dropBelow(previous);
    previous = (long) checkpoint.mark();
  }

  /** Stores it after what came before it, and lets it be sent then. */
  void persist(Effect.Persist persist, Consumer<Effect.Send> send) {
    waiting.add(new Waiting(persist, send));
    writeLater(lives);
  }

  /** All that has come by then goes together. */
  private void writeLater(int life) {
    if (isWriting || failed || waiting.isEmpty()) {
      return;
    }
    isWriting = true;
    List<Waiting> now = waiting;
    waiting = new ArrayList<>();
    try {
      boolean isUnsynced = write(now);
      world.after(
          micros(isUnsynced) * 1_000L,
          () -> {
            if (life == lives) {
              written(now, isUnsynced);
            }
          });
    } catch (IOException why) {
      failed(why);
    }
  }

  private void written(List<Waiting> now, boolean isUnsynced) {
    try {
      if (isUnsynced) {
        log.sync();
      }
    } catch (IOException why) {
      failed(why);
      return;
    }
    isWriting = false;
    for (Waiting each : now) {
      each.persist().after().forEach(each.send());
    }
    writeLater(lives);
  }

  private int micros(boolean syncs) {
    if (isSlow && syncs) {
      return world.random().between(SLOW_MIN_MICROS, SLOW_MAX_MICROS);
    }
    int slowest = world.random().chance(slowPercent) ? 100_000 : syncs ? 2_000 : 200;
    return world.random().below(slowest);
  }

  /** Whether it is to be synced. */
  private boolean write(List<Waiting> all) throws IOException {
    boolean isUnsynced = false;
    for (Waiting each : all) {
      writeCheckpoint(each.persist().state());
      boolean relies = log.rely(!each.persist().synced());
      if (!each.persist().records().isEmpty()) {
        log.write(each.persist().records());
        isUnsynced |= !relies;
      }
    }
    return isUnsynced;
  }
}

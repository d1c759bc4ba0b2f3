package dev.tempest.simulator;

import dev.tempest.protocol.checkpoint.CheckpointFiles;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.time.RestoredByTime;
import dev.tempest.protocol.order.time.RestoringByTime;
import dev.tempest.service.execution.ServiceInstance;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The disk of a replica's process, where it writes checkpoints now and then: it is full, fails,
 * loses what was not synced when the process ends, and its bits flip.
 */
final class ReplicaDisk {
  private static final long MILLI = 1_000_000;
  private static final String CLUSTER = "simulation";
  private static final String SERVICE = "simulated";

  /** No checkpoint of any workload makes so many calls. */
  private static final int CALLS_MAX = 60;

  private final Cluster cluster;
  private final ReplicaProcess process;
  private final Randomness random;
  private final SimDisk disk;
  private CheckpointFiles files;
  private boolean mended;

  /** What had been executed when a file was written. */
  private final Map<String, List<Operation>> held = new TreeMap<>();

  private List<Operation> read = List.of();

  ReplicaDisk(Cluster cluster, ReplicaProcess process, Randomness random) {
    this.cluster = cluster;
    this.process = process;
    this.random = random;
    this.disk = new SimDisk(new SplittableRandom(random.nextLong()));
    this.files = new CheckpointFiles(disk, CLUSTER, SERVICE);
    writeLater();
  }

  private void writeLater() {
    cluster.at(
        cluster.nowNanos() + random.between(100, 1_500) * MILLI,
        () -> {
          Checkpoint checkpoint = process.checkpoint();
          if (checkpoint != null) {
            write(checkpoint);
          }
          writeLater();
        });
  }

  private void write(Checkpoint checkpoint) {
    disk.free(fails(10) ? random.between(0, 4_000) : Long.MAX_VALUE);
    disk.failToSync(fails(5));
    disk.readOnly(fails(5));
    if (fails(5)) {
      disk.crashAfter(random.between(0, CALLS_MAX));
    }
    try {
      List<Operation> executed =
          cluster.history().updates().stream().filter(process::hasExecuted).toList();
      held.put(files.write(checkpoint, cluster.nowNanos() / MILLI, () -> {}), executed);
      cluster.trace(process.name, "has written a checkpoint");
    } catch (IOException failed) {
      cluster.trace(process.name, "writes no checkpoint: " + failed.getMessage());
    } catch (SimDisk.CrashException ended) {
      process.crash();
      cluster.at(cluster.nowNanos() + random.between(20, 600) * MILLI, process::start);
    }
    disk.crashAfter(Long.MAX_VALUE);
  }

  private boolean fails(int percent) {
    return !mended && random.chance(percent);
  }

  /** Nothing fails any more. */
  void mend() {
    mended = true;
  }

  /** The process has ended, and maybe its machine as well. */
  void crash() {
    if (random.chance(50)) {
      disk.crash();
    }
    if (random.chance(20)) {
      disk.flipAny();
    }
  }

  /** The machine that was made of what was read has all that the file was written with. */
  void check(ReplicaMachine machine) {
    for (Operation update : read) {
      if (update.ids.stream()
          .noneMatch(id -> machine.hasExecuted(id) || machine.mayHaveForgotten(id.client()))) {
        throw new Violation.Found(
            new Violation(
                Violation.Kind.LOST,
                process.name + " comes back without " + update.ids + " of its checkpoint"));
      }
    }
  }

  /** What a process finds that starts. */
  @Nullable RestoredByTime read(ServiceInstance instance) {
    files = new CheckpointFiles(disk, CLUSTER, SERVICE);
    try {
      CheckpointFiles.Found found =
          files.read(() -> new RestoringByTime(cluster.service(), instance));
      found.complaints().forEach(complaint -> cluster.trace(process.name, complaint));
      cluster.trace(process.name, "reads " + (found.file().isEmpty() ? "nothing" : found.file()));
      read = held.getOrDefault(found.file(), List.of());
      return (RestoredByTime) found.restored();
    } catch (IOException impossible) {
      throw new IllegalStateException("this disk can always be read", impossible);
    }
  }
}

package dev.tempest.simulator;

import dev.tempest.protocol.checkpoint.CheckpointFiles;
import dev.tempest.protocol.checkpoint.ForeignCheckpointException;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.time.RestoredByTime;
import dev.tempest.protocol.order.time.RestoringByTime;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.Message.StateUnavailable;
import dev.tempest.wire.RequestId;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The disk of a replica's process, where it writes checkpoints now and then: it is full, slow,
 * fails, loses what was not synced when the process ends, and its bits flip.
 */
final class ReplicaDisk {
  private static final long MILLI = 1_000_000;
  private static final String CLUSTER = "simulation";
  private static final String SERVICE = "simulated";

  /** No checkpoint of any workload makes so many calls. */
  private static final int CALLS_MAX = 60;

  /** A piece of a checkpoint on a slow disk takes at most so long. */
  private static final int PIECE_MAX_MILLIS = 40;

  private final Cluster cluster;
  private final ReplicaProcess process;
  private final Randomness random;
  private final SimDisk disk;
  private CheckpointFiles files;
  private boolean mended;

  /** What there was when a file was written. */
  private final Map<String, Held> held = new TreeMap<>();

  /** The latest file that has to be there; empty if none has. */
  private String whole = "";

  /** The one before it. */
  private String wholeBefore = "";

  private Held read = Held.NOTHING;

  /** So many updates its process came back with. */
  private long cameBackWith;

  private boolean wasActive;

  /** By replica, how many updates it last said that it has come back with. */
  private final Map<Long, Long> said = new TreeMap<>();

  ReplicaDisk(Cluster cluster, ReplicaProcess process, Randomness random) {
    this.cluster = cluster;
    this.process = process;
    this.random = random;
    this.disk = new SimDisk(new SplittableRandom(random.nextLong()));
    this.files = new CheckpointFiles(disk, CLUSTER, SERVICE);
    cluster.disks().add(this);
    writeLater();
  }

  private void writeLater() {
    cluster.at(
        cluster.nowNanos() + random.between(100, 1_500) * MILLI,
        () -> {
          Checkpoint checkpoint = process.checkpoint();
          if (checkpoint == null) {
            writeLater();
          } else {
            write(checkpoint);
          }
        });
  }

  /**
   * What a process has.
   *
   * @param updates that it has executed
   * @param ids of the writes that it has
   * @param tags of the writes that have taken effect there
   */
  private record Held(List<Operation> updates, Set<RequestId> ids, Set<Long> tags) {
    static final Held NOTHING =
        new Held(List.of(), Collections.emptySortedSet(), Collections.emptySortedSet());

    static Held by(ReplicaProcess process, History history) {
      Set<RequestId> ids = new TreeSet<>(history.writeIds().values());
      ids.removeIf(id -> !process.hasExecuted(id));
      return new Held(
          history.updates().stream().filter(process::hasExecuted).toList(), ids, process.tags());
    }
  }

  /** What one writes of a moment, and what there was by then. */
  private record Job(
      CheckpointFiles.Writing writing, Held held, Incarnation writer, boolean isSlow) {}

  private void write(Checkpoint checkpoint) {
    disk.free(fails(10) ? random.between(0, 4_000) : Long.MAX_VALUE);
    disk.failToSync(fails(5));
    disk.readOnly(fails(5));
    disk.crashAfter(fails(5) ? random.between(0, CALLS_MAX) : Long.MAX_VALUE);
    try {
      Held now = Held.by(process, cluster.history());
      CheckpointFiles.Writing writing = files.write(checkpoint, cluster.nowNanos() / MILLI);
      goOn(new Job(writing, now, process.incarnation(), fails(30)));
    } catch (IOException impossible) {
      throw new IllegalStateException("this disk can always be listed", impossible);
    }
  }

  private void goOn(Job job) {
    if (isToGoOn(job)) {
      long afterNanos = random.between(1, PIECE_MAX_MILLIS) * MILLI;
      cluster.at(cluster.nowNanos() + afterNanos, () -> goOn(job));
    } else {
      writeLater();
    }
  }

  /** Writes to the end, or a piece if that takes long; nothing if its process has ended. */
  private boolean isToGoOn(Job job) {
    if (!process.isUp() || !process.incarnation().equals(job.writer())) {
      return false;
    }
    try {
      while (job.writing().next()) {
        if (job.isSlow()) {
          return true;
        }
      }
      written(job);
    } catch (IOException failed) {
      cluster.trace(process.name, "writes no checkpoint: " + failed.getMessage());
    } catch (SimDisk.CrashException ended) {
      process.crash();
      cluster.at(cluster.nowNanos() + random.between(20, 600) * MILLI, process::start);
    }
    return false;
  }

  private void written(Job job) {
    String file = job.writing().file();
    held.put(file, job.held());
    wholeBefore = whole;
    whole = file;
    cluster.trace(process.name, "has written a checkpoint");
  }

  private boolean fails(int percent) {
    return !mended && random.chance(percent);
  }

  /** Nothing fails any more. */
  void mend() {
    mended = true;
    disk.crashAfter(Long.MAX_VALUE);
  }

  /** Somebody deletes what the process has written, which has ended. */
  void wipe() {
    disk.wipe();
    whole = "";
    wholeBefore = "";
  }

  /** The process has ended, and maybe its machine as well. */
  void crash() {
    disk.crashAfter(Long.MAX_VALUE);
    if (random.chance(50)) {
      disk.crash();
    }
    if (random.chance(20)) {
      String flipped = disk + "/" + disk.flipAny();
      if (flipped.equals(whole)) {
        whole = wholeBefore;
        wholeBefore = "";
      } else if (flipped.equals(wholeBefore)) {
        wholeBefore = "";
      }
    }
  }

  /**
   * The machine that was made of what was read has all that the file was written with, and is one
   * more that has these writes from now on.
   */
  void check(ReplicaMachine machine) {
    for (Operation update : read.updates()) {
      if (update.ids.stream().noneMatch(id -> has(machine, id))) {
        throw lost("comes back without " + update.ids + " of its checkpoint");
      }
    }
    for (RequestId id : read.ids()) {
      if (!has(machine, id)) {
        throw lost("comes back without " + id + " of its checkpoint");
      }
    }
    Workload workload = cluster.workload();
    for (long tag : read.tags()) {
      if (!workload.tookEffect(process.instance(), machine.version(), tag)) {
        throw lost("comes back without the effect of write " + tag + " of its checkpoint");
      }
      cluster.history().cameBackWith(tag, process.incarnation());
    }
  }

  private static boolean has(ReplicaMachine machine, RequestId id) {
    return machine.hasExecuted(id) || machine.mayHaveForgotten(id.client());
  }

  /**
   * Its process has made a step: if it is the first to begin, with what it has, nobody has told it
   * of more. Where replicas come and go, some may begin apart; where they do not, a word of an
   * earlier life may come late, under the same id, which no life of a host has.
   */
  void stepped() {
    boolean begins = process.isActive() && !wasActive && process.machine().taken() == 0;
    wasActive = process.isActive();
    if (!begins || cluster.viewsChange() || joins()) {
      return;
    }
    long has = process.machine().status().executed();
    for (ReplicaDisk other : cluster.disks()) {
      boolean waits = other.process.isUp() && !other.process.isActive();
      Long known = said.get(other.process.senderId());
      boolean isStale = known != null && known != other.cameBackWith;
      if (waits && other.cameBackWith > has && !isStale) {
        throw lost(
            "begins with %d updates, and %s has come back with %d"
                .formatted(has, other.process.name, other.cameBackWith));
      }
    }
  }

  /** Its process is told what another one has come back with. */
  void told(StateUnavailable by) {
    said.put(by.replica(), by.held().count());
  }

  /** Whether there is somebody to join: those who are back bring it what they have. */
  private boolean joins() {
    return cluster.replicas().stream().anyMatch(other -> other != process && other.isActive());
  }

  /** Whether it is the disk of this process. */
  boolean isOf(ReplicaProcess other) {
    return process == other;
  }

  /** What a process finds that starts. */
  @Nullable RestoredByTime read(ServiceInstance instance) {
    files = new CheckpointFiles(disk, CLUSTER, SERVICE);
    try {
      CheckpointFiles.Found found =
          files.read(() ->
              new RestoringByTime(cluster.service(), cluster.parameters().epochs(), instance));
      found.complaints().forEach(complaint -> cluster.trace(process.name, complaint));
      cluster.trace(process.name, "reads " + (found.file().isEmpty() ? "nothing" : found.file()));
      if (isBefore(found.file(), whole)) {
        throw lost("reads '" + found.file() + "' although it has written " + whole);
      }
      if (!found.file().equals(whole)) { // Its process ended before it could say so.
        wholeBefore = whole;
        whole = found.file();
      }
      read = held.getOrDefault(found.file(), Held.NOTHING);
      RestoredByTime restored = (RestoredByTime) found.restored();
      cameBackWith = restored == null ? 0 : restored.executed();
      wasActive = false;
      said.clear();
      return restored;
    } catch (IOException impossible) {
      throw new IllegalStateException("this disk can always be read", impossible);
    } catch (ForeignCheckpointException taken) {
      throw new Violation.Found(
          Violation.Kind.DAMAGE_UNNOTICED,
          process.name + " takes a file for whole: " + taken.getMessage(),
          taken);
    }
  }

  /** Files have rising numbers. */
  private static boolean isBefore(String file, String other) {
    return file.length() != other.length()
        ? file.length() < other.length()
        : file.compareTo(other) < 0;
  }

  private Violation.Found lost(String sentence) {
    return new Violation.Found(new Violation(Violation.Kind.LOST, process.name + " " + sentence));
  }
}

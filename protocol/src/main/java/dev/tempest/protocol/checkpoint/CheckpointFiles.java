package dev.tempest.protocol.checkpoint;

import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Restored;
import dev.tempest.protocol.order.Restoring;
import dev.tempest.state.versioned.UnreadableStateException;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of one service on a disk (Tempest, section 3.4): the latest and the one before
 * it. Each is a file of its own, {@code cart.17.checkpoint}, with a number above all earlier ones;
 * while it is written, it is called {@code cart.17.writing}.
 *
 * <p>Guarantees that a checkpoint that was written once is there until two later ones are, whatever
 * happens meanwhile, and that nothing is taken for one that is not what was written. Never replaces
 * a file.
 *
 * <p>Not thread-safe.
 */
public final class CheckpointFiles {
  private static final String WRITTEN = ".checkpoint";
  private static final String WRITING = ".writing";

  private final Disk disk;
  private final String cluster;
  private final String service;

  /** The number of the latest one that is known to be whole; 0 for none. */
  private long latest;

  /** The checkpoints of a service of a cluster. */
  public CheckpointFiles(Disk disk, String cluster, String service) {
    this.disk = disk;
    this.cluster = cluster;
    this.service = service;
  }

  /**
   * What was found.
   *
   * @param restored null if there is no checkpoint that is whole
   * @param file the one that was read; empty if there is none
   * @param writtenMillis when it was begun, in milliseconds since 1970; 0 if there is none
   * @param complaints what people should know: of each file that is damaged, why
   */
  public record Found(
      @Nullable Restored restored, String file, long writtenMillis, List<String> complaints) {}

  /**
   * Reads the latest checkpoint that is whole.
   *
   * @param reading begins to read one
   * @throws ForeignCheckpointException if it comes to one that is not for this process
   * @throws IOException if it cannot be told what there is, or read what is there
   */
  public Found read(Supplier<Restoring> reading) throws IOException {
    deleteAll(numbers(WRITING), WRITING); // Of a process that ended while it wrote.
    List<String> complaints = new ArrayList<>();
    for (long number : numbers(WRITTEN)) {
      String name = name(number, WRITTEN);
      try (Disk.Input input = disk.open(name)) {
        FileReader reader = new FileReader(input, disk + "/" + name);
        requireOwn(reader.head(), name);
        Restored restored = read(reader, reading.get(), name);
        latest = number;
        return new Found(restored, disk + "/" + name, reader.head().writtenMillis(), complaints);
      } catch (DamagedFileException damaged) {
        complaints.add("%s/%s is damaged: %s".formatted(disk, name, damaged.getMessage()));
      }
    }
    return new Found(null, "", 0, complaints);
  }

  /** Whether there is any, whole or not. */
  public boolean isThere() throws IOException {
    return !numbers(WRITTEN).isEmpty();
  }

  private void requireOwn(Head head, String name) {
    if (!head.cluster().equals(cluster) || !head.service().equals(service)) {
      throw new ForeignCheckpointException(
          "%s/%s is of %s of the cluster '%s', not of %s of the cluster '%s'"
              .formatted(disk, name, head.service(), head.cluster(), service, cluster));
    }
  }

  private Restored read(FileReader reader, Restoring restoring, String name) throws IOException {
    int replicas = reader.head().replicas();
    try {
      for (Bytes piece = reader.next(); piece != null; piece = reader.next()) {
        restoring.take(piece);
      }
      return restoring.restored(replicas);
    } catch (MalformedException | UnreadableStateException unreadable) {
      throw new ForeignCheckpointException(
          "%s/%s is whole, but %s cannot read it: %s"
              .formatted(disk, name, service, unreadable.getMessage()));
    }
  }

  /**
   * Begins to write another checkpoint; what is older than the latest whole one goes. Of an earlier
   * one that was not written to its end nothing can be written any more.
   *
   * @param nowMillis milliseconds since 1970
   */
  public Writing write(Checkpoint checkpoint, long nowMillis) throws IOException {
    long number = numbers(WRITTEN).stream().findFirst().orElse(0L) + 1;
    Head head = new Head(cluster, service, nowMillis, checkpoint.replicas());
    return new Writing(number, head, checkpoint.pieces());
  }

  /**
   * A checkpoint that is being written, a piece at a time, so that others can have the disk and the
   * processor, too.
   */
  public final class Writing {
    private final long number;
    private final Head head;
    private final Iterator<Bytes> pieces;
    private @Nullable FileWriter writer;

    private Writing(long number, Head head, Iterator<Bytes> pieces) {
      this.number = number;
      this.head = head;
      this.pieces = pieces;
    }

    /** The name of the file, once it is written. */
    public String file() {
      return disk + "/" + name(number, WRITTEN);
    }

    /**
     * Writes a piece.
     *
     * @return whether there is more to do
     * @throws IOException if it could not be written; then all is as before
     */
    public boolean next() throws IOException {
      boolean isWritten = false;
      try {
        boolean more = step();
        isWritten = true;
        return more;
      } finally {
        if (!isWritten) {
          end();
          deleteAll(List.of(number), WRITING);
        }
      }
    }

    private boolean step() throws IOException {
      FileWriter file = writer;
      if (file == null) {
        file = new FileWriter(disk.create(name(number, WRITING)));
        writer = file;
        file.begin(head);
        return true;
      }
      if (pieces.hasNext()) {
        file.write(pieces.next());
        return true;
      }
      file.end();
      file.close();
      disk.rename(name(number, WRITING), name(number, WRITTEN));
      keep(number);
      return false;
    }

    private void end() {
      FileWriter file = writer;
      try {
        if (file != null) {
          file.close();
        }
      } catch (IOException lost) {
        return; // As is what was written.
      }
    }
  }

  /** Two that are known to be whole are enough. */
  private void keep(long number) throws IOException {
    long previous = latest;
    latest = number;
    deleteAll(numbers(WRITTEN).stream().filter(each -> each < previous).toList(), WRITTEN);
  }

  /** The numbers of the files of this service that are called so, the highest first. */
  private List<Long> numbers(String suffix) throws IOException {
    return disk.names().stream()
        .map(name -> number(name, suffix))
        .filter(number -> number > 0)
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  /** 0 if it is the name of something else. */
  private long number(String name, String suffix) {
    String prefix = service + ".";
    if (!name.startsWith(prefix) || !name.endsWith(suffix)) {
      return 0;
    }
    int end = name.length() - suffix.length();
    String digits = end <= prefix.length() ? "" : name.substring(prefix.length(), end);
    boolean isNumber = digits.matches("[1-9][0-9]{0,17}");
    return isNumber ? Long.parseLong(digits) : 0;
  }

  private String name(long number, String suffix) {
    return service + "." + number + suffix;
  }

  /** What cannot be deleted is in nobody's way, and is deleted with the next one. */
  private void deleteAll(List<Long> numbers, String suffix) {
    for (long number : numbers) {
      try {
        disk.delete(name(number, suffix));
      } catch (IOException later) {
        // With the next checkpoint.
      }
    }
  }
}

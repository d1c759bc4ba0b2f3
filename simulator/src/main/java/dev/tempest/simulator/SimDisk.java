package dev.tempest.simulator;

import dev.tempest.protocol.checkpoint.Disk;
import dev.tempest.values.encoding.ByteWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A disk that does all that it may: at a crash it loses what was not synced, all of it, a part, or
 * zeros in its place or among it, and brings back what was deleted; it is full, it cannot be
 * written, its syncs fail, and its bits flip.
 *
 * <p>Deterministic.
 */
public final class SimDisk implements Disk {
  /** The process ends in the middle of a call. */
  public static final class CrashException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CrashException() {
      super("the process has ended");
    }
  }

  /** What was written; the first bytes of it, which were synced, are on the disk. */
  private static final class File {
    final ByteWriter written = new ByteWriter(Integer.MAX_VALUE);
    int syncedBytes;
  }

  private static final int SECTOR_BYTES = 512;

  private final SplittableRandom random;
  private final TreeMap<String, File> files = new TreeMap<>();

  /** What was deleted, and may be there after a crash. */
  private final TreeMap<String, File> deleted = new TreeMap<>();

  private long freeBytes = Long.MAX_VALUE;
  private boolean failsToSync;
  private boolean isReadOnly;
  private long callsUntilCrash = Long.MAX_VALUE;
  private int lives = 1;

  /** An empty one. */
  public SimDisk(SplittableRandom random) {
    this.random = random;
  }

  /** So much fits. */
  public void free(long bytes) {
    freeBytes = bytes;
  }

  /** Whether each sync fails, and loses what was to be synced. */
  public void failToSync(boolean fails) {
    failsToSync = fails;
  }

  /** Whether nothing can be written. */
  public void readOnly(boolean cannot) {
    isReadOnly = cannot;
  }

  /** Somebody deletes all that is on it. */
  public void wipe() {
    files.clear();
    deleted.clear();
  }

  /** The process ends with the call after so many that change something. */
  public void crashAfter(long calls) {
    callsUntilCrash = calls;
  }

  /** The machine loses its power and starts again. */
  public void crash() {
    callsUntilCrash = Long.MAX_VALUE;
    lives++;
    deleted.forEach((name, file) -> {
      if (random.nextBoolean()) {
        files.putIfAbsent(name, file);
      }
    });
    deleted.clear();
    files.values().forEach(this::loseUnsynced);
  }

  private void loseUnsynced(File file) {
    int size = file.written.size();
    if (random.nextInt(3) == 0) {
      loseSectors(file, size);
    } else {
      int kept = file.syncedBytes + random.nextInt(size - file.syncedBytes + 1);
      file.written.truncate(kept);
      if (random.nextInt(3) == 0) {
        file.written.writeRaw(new byte[size - kept], 0, size - kept);
      }
    }
    file.syncedBytes = file.written.size();
  }

  /** Sectors are written in any order. */
  private void loseSectors(File file, int size) {
    for (int from = file.syncedBytes; from < size; ) {
      int end = Math.min(size, (from / SECTOR_BYTES + 1) * SECTOR_BYTES);
      if (random.nextBoolean()) {
        Arrays.fill(file.written.array(), from, end, (byte) 0);
      }
      from = end;
    }
  }

  /** A bit of a file is another one from now on. */
  public void flip(String name, long bit) {
    File file = require(files.get(name), name);
    file.written.array()[(int) (bit / Byte.SIZE)] ^= (byte) (1 << bit % Byte.SIZE);
  }

  /**
   * A bit of some file is another one from now on, if there is one.
   *
   * @return its name; empty if there is none
   */
  public String flipAny() {
    List<String> names = files.keySet().stream().filter(name -> bits(name) > 0).toList();
    if (names.isEmpty()) {
      return "";
    }
    String name = names.get(random.nextInt(names.size()));
    flip(name, random.nextLong(bits(name)));
    return name;
  }

  /** How many bits a file has. */
  public long bits(String name) {
    File file = files.get(name);
    return file == null ? 0 : (long) Byte.SIZE * file.written.size();
  }

  /** The contents of a file. */
  public byte[] contents(String name) {
    File file = files.get(name);
    return file == null ? new byte[0] : Arrays.copyOf(file.written.array(), file.written.size());
  }

  /** A file has other contents from now on. */
  public void put(String name, byte[] contents) {
    File file = new File();
    file.written.writeRaw(contents, 0, contents.length);
    file.syncedBytes = contents.length;
    files.put(name, file);
  }

  @Override
  public List<String> names() {
    return new ArrayList<>(files.keySet());
  }

  @Override
  public Input open(String name) throws IOException {
    byte[] contents = contents(name);
    if (!files.containsKey(name)) {
      throw new IOException("no file " + name);
    }
    return new Input() {
      private int at;

      @Override
      public int read(byte[] into, int offset, int length) {
        if (at == contents.length) {
          return -1;
        }
        int read = Math.min(length, 1 + random.nextInt(contents.length - at));
        System.arraycopy(contents, at, into, offset, read);
        at += read;
        return read;
      }

      @Override
      public void close() {
        at = contents.length;
      }
    };
  }

  @Override
  public Output create(String name) throws IOException {
    requireWritable();
    File file = new File();
    files.put(name, file);
    return output(file);
  }

  @Override
  public Output append(String name) throws IOException {
    requireWritable();
    return output(require(files.get(name), name));
  }

  private Output output(File file) {
    return new Output() {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        requireWritable();
        int fits = (int) Math.min(length, Math.max(0, freeBytes - usedBytes()));
        file.written.writeRaw(bytes, offset, fits);
        if (fits < length) {
          throw new IOException("no space left on the disk");
        }
      }

      @Override
      public void sync() throws IOException {
        requireWritable();
        if (failsToSync) {
          file.written.truncate(file.syncedBytes);
          throw new IOException("input/output error");
        }
        file.syncedBytes = file.written.size();
      }

      @Override
      public void close() {
        // What was not synced may be lost nevertheless.
      }
    };
  }

  @Override
  public void rename(String from, String to) throws IOException {
    requireWritable();
    files.put(to, require(files.remove(from), from));
  }

  @Override
  public void delete(String name) throws IOException {
    requireWritable();
    File file = files.remove(name);
    if (file != null) {
      deleted.put(name, file);
    }
  }

  @Override
  public String life() {
    return "life " + lives;
  }

  @Override
  public String toString() {
    return "disk";
  }

  /** So much is on it. */
  long usedBytes() {
    return files.values().stream().mapToLong(file -> file.written.size()).sum();
  }

  private void requireWritable() throws IOException {
    if (callsUntilCrash-- <= 0) {
      throw new CrashException();
    }
    if (isReadOnly) {
      throw new IOException("the disk is read-only");
    }
  }

  private static File require(@Nullable File file, String name) {
    if (file == null) {
      throw new IllegalArgumentException("no file " + name);
    }
    return file;
  }
}

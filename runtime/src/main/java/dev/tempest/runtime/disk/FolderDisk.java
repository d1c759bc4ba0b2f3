package dev.tempest.runtime.disk;

import dev.tempest.protocol.checkpoint.Disk;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder of this machine, of which one process at a time is the owner. */
public final class FolderDisk implements Disk, AutoCloseable {
  private static final String LOCK = "lock";

  /** Where Linux says which start of the machine this is. */
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  /** There a folder cannot be opened, and needs no sync. */
  private static final boolean IS_WINDOWS = File.separatorChar == '\\';

  private final Path folder;

  /** Of the file that says who owns the folder; null while this process does not. */
  private @Nullable FileChannel owned;

  /** Tells that file from another one of its name; null where the system has nothing that does. */
  private @Nullable Object ownedKey;

  /** The folder need not exist. */
  public FolderDisk(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /**
   * Makes this process the owner of the folder, and makes the folder if there is none. Also of one
   * that was deleted since: call it before anything is written.
   *
   * @return false if another process owns it
   * @throws IOException if the folder cannot be written to
   */
  public synchronized boolean own() throws IOException {
    if (owned != null && isThere()) {
      if (!Files.isWritable(folder)) { // It was, when this process began to own it.
        throw new AccessDeniedException(folder.toString());
      }
      return true;
    }
    close();
    Files.createDirectories(folder);
    FileChannel channel =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        ownedKey = key();
        owned = channel;
      }
    } catch (OverlappingFileLockException inThisProcess) {
      return false;
    } finally {
      if (owned == null) {
        channel.close();
      }
    }
    return owned != null;
  }

  /** Whether the file that says who owns the folder is still in it. */
  private boolean isThere() {
    try {
      return Objects.equals(key(), ownedKey);
    } catch (IOException gone) {
      return false;
    }
  }

  private @Nullable Object key() throws IOException {
    return Files.readAttributes(folder.resolve(LOCK), BasicFileAttributes.class).fileKey();
  }

  @Override
  public List<String> names() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Override
  public Input open(String name) throws IOException {
    FileInputStream file = new FileInputStream(folder.resolve(name).toFile());
    return new Input() {
      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        return file.read(into, offset, length);
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }

  @Override
  public Output create(String name) throws IOException {
    return output(new FileOutputStream(folder.resolve(name).toFile()));
  }

  @Override
  public Output append(String name) throws IOException {
    return output(new FileOutputStream(folder.resolve(name).toFile(), true));
  }

  private static Output output(FileOutputStream file) {
    return new Output() {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        file.write(bytes, offset, length);
      }

      @Override
      public void sync() throws IOException {
        file.getChannel().force(false); // Of what tells about a file, only its length is needed.
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(folder.resolve(from), folder.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    if (!IS_WINDOWS) {
      try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
        names.force(true);
      }
    }
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(folder.resolve(name));
  }

  /** Another process may own the folder now. */
  @Override
  public synchronized void close() throws IOException {
    if (owned != null) {
      owned.close();
      owned = null;
    }
  }

  @Override
  public String life() {
    try {
      return UUID.fromString(Files.readString(BOOT_ID).strip()).toString();
    } catch (IOException | IllegalArgumentException otherSystem) {
      return "";
    }
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}

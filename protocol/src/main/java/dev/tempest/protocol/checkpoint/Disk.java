package dev.tempest.protocol.checkpoint;

import java.io.IOException;
import java.util.List;

/**
 * A folder of files. A file whose {@link Output#sync} and {@link #rename} have returned is there
 * after any crash; of everything else a crash may leave a part, or nothing. What a method throws
 * says nothing about how far it has come.
 */
public interface Disk {
  /** The names of all files. */
  List<String> names() throws IOException;

  /** Opens a file to read it. */
  Input open(String name) throws IOException;

  /** Makes an empty file to write it, in place of one of that name. */
  Output create(String name) throws IOException;

  /** Opens a file to add to it. */
  Output append(String name) throws IOException;

  /** Gives a file another name, also after a crash. */
  void rename(String from, String to) throws IOException;

  /** Takes a file away, maybe not after a crash. */
  void delete(String name) throws IOException;

  /**
   * Which life of the machine this is: another one since it started, when it may have lost what was
   * not synced. Empty if nobody can tell.
   */
  String life();

  /** Where it is, for people. */
  @Override
  String toString();

  /** A file that is read from its beginning. */
  interface Input extends AutoCloseable {
    /** Reads at most so many bytes; how many there were, -1 at the end. */
    int read(byte[] into, int offset, int length) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** A file that is written, from its beginning or its end. */
  interface Output extends AutoCloseable {
    /** Adds bytes. */
    void write(byte[] bytes, int offset, int length) throws IOException;

    /**
     * Waits until all that was written is on the disk. If it throws, the file is not to be trusted
     * whatever a later call says.
     */
    void sync() throws IOException;

    @Override
    void close() throws IOException;
  }
}

package dev.tempest.protocol.checkpoint;

import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.io.IOException;
import java.util.zip.CRC32C;

/**
 * Writes the file of a checkpoint, format 1. All numbers are big endian.
 *
 * <pre>
 * offset bytes
 *      0     8  "tempest" and a zero byte
 *      8     4  format, 1
 *     12     4  CRC32C of bytes 0 to 11; every format begins like this
 *     16        blocks to the end of the file, each:
 *                 4  length of the contents
 *                 4  checksum
 *                    the contents
 *                 4  checksum
 * </pre>
 *
 * <p>A checksum is the CRC32C of all bytes of the file before it but for other checksums: a block
 * counts only where it was written, after the very blocks that were written before it. The first
 * block is the {@link Head}, the others are pieces, and the last one, which has no contents, says
 * that there are no more.
 *
 * <p>Not thread-safe.
 */
final class FileWriter implements AutoCloseable {
  static final int FORMAT = 1;
  static final long MAGIC = 0x74656D7065737400L;

  /** A piece with a single large entry of the state may take as much. */
  static final int BLOCK_MAX_BYTES = 256 << 20;

  /** So much at once is for the disk to write: more would hold up whoever else uses it. */
  private static final int SYNC_BYTES = 16 << 20;

  private final Disk.Output output;
  private final CRC32C checksum = new CRC32C();
  private final ByteWriter fields = new ByteWriter(1 << 10);
  private long unsyncedBytes;

  /** Of a file that is empty yet. */
  FileWriter(Disk.Output output) {
    this.output = output;
  }

  /** Begins the file. */
  void begin(Head head) throws IOException {
    fields.writeLong(MAGIC);
    fields.writeInt(FORMAT);
    writeFields();
    head.write(fields);
    write(fields.toBytes());
  }

  /** Adds a piece, which is not empty. */
  void write(Bytes piece) throws IOException {
    byte[] contents = piece.toArray();
    fields.reset();
    fields.writeInt(contents.length);
    writeFields();
    checksum.update(contents);
    output.write(contents, 0, contents.length);
    writeFields();
    unsyncedBytes += contents.length;
    if (unsyncedBytes >= SYNC_BYTES) {
      output.sync();
      unsyncedBytes = 0;
    }
  }

  /** Ends the file; once this returns, all of it is on the disk. */
  void end() throws IOException {
    write(Bytes.EMPTY);
    output.sync();
  }

  @Override
  public void close() throws IOException {
    output.close();
  }

  /** The fields, and the checksum up to them. */
  private void writeFields() throws IOException {
    checksum.update(fields.array(), 0, fields.size());
    fields.writeInt((int) checksum.getValue());
    output.write(fields.array(), 0, fields.size());
    fields.reset();
  }
}

package dev.tempest.protocol.checkpoint;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads what a {@link FileWriter} has written, and trusts no byte before its checksum. */
final class FileReader {
  private final String file;
  private final Disk.Input input;
  private final CRC32C checksum = new CRC32C();
  private final byte[] fields = new byte[Long.BYTES + Integer.BYTES];
  private final Head head;

  /**
   * Begins to read a file.
   *
   * @param file its name, for people
   * @throws DamagedFileException if it has no head
   * @throws ForeignCheckpointException if it is of another format
   */
  FileReader(Disk.Input input, String file) throws IOException {
    this.file = file;
    this.input = input;
    this.head = readHead();
  }

  Head head() {
    return head;
  }

  /**
   * The next piece; null if that was the last one and the file is whole.
   *
   * @throws DamagedFileException if it is not what was written
   */
  @Nullable Bytes next() throws IOException {
    Bytes block = readBlock();
    if (block.size() > 0) {
      return block;
    }
    if (input.read(fields, 0, 1) >= 0) {
      throw new DamagedFileException("it goes on after its end");
    }
    return null;
  }

  private Head readHead() throws IOException {
    ByteReader reader = readFields(Long.BYTES + Integer.BYTES);
    long magic = reader.readLong();
    int format = reader.readInt();
    if (magic != FileWriter.MAGIC || format != FileWriter.FORMAT) {
      throw new ForeignCheckpointException(
          "%s is of format %d, and this version of Tempest reads format %d only"
              .formatted(file, format, FileWriter.FORMAT));
    }
    try {
      return Head.read(readBlock().reader());
    } catch (MalformedException malformed) {
      throw new DamagedFileException("its head cannot be read: " + malformed.getMessage());
    }
  }

  private Bytes readBlock() throws IOException {
    int length = readFields(Integer.BYTES).readInt();
    if (length < 0 || length > FileWriter.BLOCK_MAX_BYTES) {
      throw new DamagedFileException("it has a block of %d bytes".formatted(length));
    }
    byte[] contents = new byte[length];
    readFully(contents, length);
    checksum.update(contents);
    readFields(0);
    return Bytes.of(contents);
  }

  /** Fields of so many bytes, if the checksum that follows them is right. */
  private ByteReader readFields(int length) throws IOException {
    readFully(fields, length);
    checksum.update(fields, 0, length);
    byte[] expected = new byte[Integer.BYTES];
    readFully(expected, expected.length);
    if (new ByteReader(expected, 0, expected.length).readInt() != (int) checksum.getValue()) {
      throw new DamagedFileException("a checksum does not match the bytes before it");
    }
    return new ByteReader(fields, 0, length);
  }

  private void readFully(byte[] into, int length) throws IOException {
    int read = 0;
    while (read < length) {
      int more = input.read(into, read, length - read);
      if (more < 0) {
        throw new DamagedFileException("it ends too early");
      }
      read += more;
    }
  }
}

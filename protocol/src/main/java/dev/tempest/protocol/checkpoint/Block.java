package dev.tempest.protocol.checkpoint;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A part of the file of a log that is there as a whole or not at all. All numbers are big endian.
 *
 * <pre>
 * offset bytes
 *      0     4  "TLOG"
 *      4     8  number of the file
 *     12     4  number of the block in the file, from 0
 *     16     4  length of the contents
 *     20     4  CRC32C of bytes 0 to 19
 *     24        contents
 *            4  CRC32C of all before it
 * </pre>
 *
 * <p>Each can be found without those before it: so what was torn when the machine ended, behind
 * which nothing was synced, can be told from what was damaged since.
 */
record Block(long file, int number, Bytes contents) {
  private static final int MAGIC = 0x544C4F47;
  private static final int HEAD_BYTES = 24;

  void write(ByteWriter writer) {
    int from = writer.size();
    writer.writeInt(MAGIC);
    writer.writeLong(file);
    writer.writeInt(number);
    writer.writeInt(contents.size());
    writer.writeInt(checksum(writer.array(), from, writer.size()));
    byte[] bytes = contents.toArray();
    writer.writeRaw(bytes, 0, bytes.length);
    writer.writeInt(checksum(writer.array(), from, writer.size()));
  }

  private static int checksum(byte[] bytes, int from, int to) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, from, to - from);
    return (int) checksum.getValue();
  }

  int sizeBytes() {
    return HEAD_BYTES + contents.size() + Integer.BYTES;
  }

  private boolean isEmpty() {
    return contents.size() == 0;
  }

  /** The whole block of a file that begins at an offset; null if none does. */
  static @Nullable Block read(byte[] bytes, int from, long file) {
    if (bytes.length - from < HEAD_BYTES + Integer.BYTES || !begins(bytes, from)) {
      return null;
    }
    ByteReader head = new ByteReader(bytes, from + Integer.BYTES, HEAD_BYTES - Integer.BYTES);
    long of = head.readLong();
    int number = head.readInt();
    int length = head.readInt();
    int end = HEAD_BYTES - Integer.BYTES;
    boolean isHead = head.readInt() == checksum(bytes, from, from + end) && of == file;
    if (!isHead || length < 0 || length > bytes.length - from - HEAD_BYTES - Integer.BYTES) {
      return null;
    }
    int after = from + HEAD_BYTES + length;
    int expected = new ByteReader(bytes, after, Integer.BYTES).readInt();
    if (expected != checksum(bytes, from, after)) {
      return null;
    }
    byte[] contents = Arrays.copyOfRange(bytes, from + HEAD_BYTES, after);
    return new Block(file, number, Bytes.of(contents));
  }

  /**
   * Whether a whole one of this or a higher number begins somewhere behind an offset: what is not
   * whole there was, then.
   *
   * @param afterSync only one without contents counts, which follows a sync: of what was not synced
   *     a machine that loses its power may keep any part
   */
  static boolean isBehind(byte[] bytes, int from, long file, int number, boolean afterSync) {
    for (int each = from; each < bytes.length; each++) {
      Block block = read(bytes, each, file);
      if (block != null && block.number() >= number && (!afterSync || block.isEmpty())) {
        return true;
      }
    }
    return false;
  }

  private static boolean begins(byte[] bytes, int from) {
    return bytes[from] == 'T'
        && bytes[from + 1] == 'L'
        && bytes[from + 2] == 'O'
        && bytes[from + 3] == 'G';
  }
}

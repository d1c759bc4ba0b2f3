package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import java.util.zip.CRC32C;

/** Frames as arrays, whole and damaged. */
final class Frames {
  private static final int LIMIT_BYTES = 1 << 20;

  private Frames() {}

  static byte[] write(Frame frame) {
    ByteWriter writer = new ByteWriter(LIMIT_BYTES);
    FrameCodec.begin(writer, frame.cluster(), frame.sender());
    frame.messages().forEach(message -> FrameCodec.add(writer, message));
    FrameCodec.end(writer);
    return writer.toBytes().toArray();
  }

  static Frame read(byte[] bytes) {
    return FrameCodec.read(new ByteReader(bytes, 0, bytes.length));
  }

  /** Makes the checksum right again, so that what is wrong reaches the readers of the bodies. */
  static byte[] withChecksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, 4);
    checksum.update(bytes, 8, bytes.length - 8);
    int value = (int) checksum.getValue();
    for (int i = 0; i < 4; i++) {
      bytes[4 + i] = (byte) (value >>> (24 - 8 * i));
    }
    return bytes;
  }
}

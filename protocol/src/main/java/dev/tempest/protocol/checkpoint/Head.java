package dev.tempest.protocol.checkpoint;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;

/**
 * What a checkpoint says of itself.
 *
 * @param writtenMillis when it was begun, in milliseconds since 1970
 * @param replicas how many replicas there were, its own included
 */
record Head(String cluster, String service, long writtenMillis, int replicas) {
  void write(ByteWriter writer) {
    writer.writeString(cluster);
    writer.writeString(service);
    writer.writeLong(writtenMillis);
    writer.writeVarint(replicas);
  }

  static Head read(ByteReader reader) {
    return new Head(
        reader.readString(),
        reader.readString(),
        reader.readLong(),
        reader.readVarint(Integer.MAX_VALUE));
  }
}

package dev.tempest.bench.floor;

import java.nio.ByteBuffer;

/**
 * A request or a reply of the floors: number of the client, number of the request, padding.
 *
 * @param sizeBytes of the whole datagram
 */
record FloorFormat(int sizeBytes) {
  static final int HEADER_BYTES = 8;
  static final int MAX_BYTES = 65_507;

  /** Room for a request of each of some thousand clients. */
  static final int RECEIVE_BUFFER_BYTES = 4 << 20;

  FloorFormat {
    if (sizeBytes < HEADER_BYTES || sizeBytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "size must be %d to %d bytes, not %d".formatted(HEADER_BYTES, MAX_BYTES, sizeBytes));
    }
  }

  void write(ByteBuffer buffer, int client, int sequence) {
    int start = buffer.position();
    buffer.putInt(client).putInt(sequence).position(start + sizeBytes);
  }
}

package dev.tempest.bench.floor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests or replies of the floors: number of the client, number of the request, padding
 * to a fixed size; several in one datagram if batching.
 */
final class FloorDatagrams implements FloorSender {
  static final int HEADER_BYTES = 8;
  static final int MAX_BYTES = 65_507;

  /** Room for a request of each of some thousand clients. */
  static final int RECEIVE_BUFFER_BYTES = 4 << 20;

  private static final int BATCH_BYTES = 32 << 10;

  private final DatagramChannel channel;
  private final int sizeBytes;
  private final int datagramBytes;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_BYTES);
  private @Nullable InetSocketAddress destination;

  FloorDatagrams(DatagramChannel channel, int sizeBytes, FloorMode mode) {
    if (sizeBytes < HEADER_BYTES || sizeBytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "size must be %d to %d bytes, not %d".formatted(HEADER_BYTES, MAX_BYTES, sizeBytes));
    }
    this.channel = channel;
    this.sizeBytes = sizeBytes;
    this.datagramBytes = mode == FloorMode.BATCHING ? BATCH_BYTES : sizeBytes;
  }

  /** Sends at once unless batching. */
  @Override
  public void add(int client, int sequence, InetSocketAddress to) throws IOException {
    if (!to.equals(destination)) {
      flush();
      destination = to;
    }
    int start = buffer.position();
    buffer.putInt(client).putInt(sequence).position(start + sizeBytes);
    if (buffer.position() + sizeBytes > datagramBytes) {
      flush();
    }
  }

  @Override
  public void flush() throws IOException {
    if (destination != null && buffer.position() > 0) {
      buffer.flip();
      channel.send(buffer, destination);
      buffer.clear();
    }
  }
}

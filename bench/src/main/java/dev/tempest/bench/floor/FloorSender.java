package dev.tempest.bench.floor;

import java.io.IOException;
import java.net.InetSocketAddress;

/** Sends the requests or replies of a floor. */
interface FloorSender {
  /**
   * Sends, at the latest at {@link #flush}: number of the client, number of the request, padding.
   */
  void add(int client, int sequence, InetSocketAddress to) throws IOException;

  /** Sends what was gathered. */
  void flush() throws IOException;
}

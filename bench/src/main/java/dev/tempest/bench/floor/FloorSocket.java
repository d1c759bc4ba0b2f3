package dev.tempest.bench.floor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** A datagram socket of a floor, which carries numbers of clients and requests, and padding. */
interface FloorSocket {
  /** Room for a request of each of some thousand clients. */
  int RECEIVE_BUFFER_BYTES = 4 << 20;

  /** Takes what has come. */
  @FunctionalInterface
  interface Receiver {
    /**
     * A datagram has come.
     *
     * @param at of {@link FloorSocket#from}
     */
    void received(ByteBuffer datagram, int at) throws IOException;
  }

  /** Waits for datagrams, and hands over those that are there. */
  void receive(Receiver receiver) throws IOException;

  /** Who sent a datagram of the latest {@link #receive}, in which this is called. */
  InetSocketAddress from(int at);

  /** Sends numbers of a client and of a request, at the latest at {@link #flush}. */
  void add(int client, int sequence, InetSocketAddress to) throws IOException;

  /** Sends what was gathered. */
  void flush() throws IOException;
}

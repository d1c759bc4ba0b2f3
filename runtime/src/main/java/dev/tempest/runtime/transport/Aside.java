package dev.tempest.runtime.transport;

import dev.tempest.wire.Message;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.UnsupportedAddressTypeException;

/**
 * Sends small messages from the address of an endpoint while its loop is busy: to those only to
 * whom the loop has spoken. What the network does not take at once is lost.
 *
 * <p>Not thread-safe: one thread sends, beside the loop.
 */
public final class Aside {
  /** Fits a packet wherever IPv6 works. */
  private static final int DATAGRAM_MAX_BYTES = 1_200;

  private final DatagramChannel datagrams;
  private final Counters counters;
  private final Outbox outbox;

  Aside(EndpointConfig config, DatagramChannel datagrams, Counters counters) {
    this.datagrams = datagrams;
    this.counters = counters;
    this.outbox =
        new Outbox(
            config.cluster(),
            config.sender(),
            DATAGRAM_MAX_BYTES,
            DATAGRAM_MAX_BYTES,
            new Datagrams(),
            counters);
  }

  /** Sends a message, at the latest at {@link #flush}; nothing if it does not fit a datagram. */
  public void send(PeerAddress to, Message message) {
    outbox.add(new Destination.Unicast(to.socket()), message);
  }

  /** Sends all that was gathered. */
  public void flush() {
    outbox.flush();
  }

  private final class Datagrams implements Outbox.Sink {
    @Override
    public void datagram(Destination to, byte[] frame, int size) {
      if (to instanceof Destination.Unicast(InetSocketAddress socket)) {
        try {
          boolean taken = datagrams.send(ByteBuffer.wrap(frame, 0, size), socket) > 0;
          counters.count(taken ? Counters.Kind.DATAGRAMS_SENT : Counters.Kind.DATAGRAMS_NOT_SENT);
        } catch (IOException | UnsupportedAddressTypeException refused) {
          counters.count(Counters.Kind.DATAGRAMS_NOT_SENT);
        }
      }
    }

    @Override
    public void stream(Destination to, byte[] frame, int size) {
      counters.count(Counters.Kind.TOO_LARGE);
    }
  }
}

package dev.tempest.runtime.transport;

import dev.tempest.runtime.transport.Counters.Kind;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends the frames of one endpoint: as datagrams if they fit, else by streams, and to one that has
 * not proved its address once it has.
 *
 * <p>Not thread-safe.
 */
final class Sender implements Outbox.Sink, AutoCloseable {
  private final EndpointConfig config;
  private final DatagramChannel datagrams;
  private final DatagramSender datagramSender;
  private final Networks networks;
  private final int datagramMaxBytes;
  private final OutgoingStreams streams;
  private final @Nullable Proofs proofs;
  private final Counters counters;
  private final ByteBuffer sendBuffer;

  private final MulticastRest rest = new MulticastRest();

  /** Those that multicast went through last. */
  private List<NetworkInterface> used;

  /** Of the sockets; {@code proofs} is null if nobody has to prove its address. */
  Sender(
      EndpointConfig config,
      Sockets sockets,
      Networks networks,
      int datagramMaxBytes,
      OutgoingStreams streams,
      @Nullable Proofs proofs,
      Counters counters) {
    this.config = config;
    this.datagrams = sockets.datagrams();
    this.datagramSender = new DatagramSender(datagrams);
    this.networks = networks;
    this.used = networks.present();
    this.datagramMaxBytes = datagramMaxBytes;
    this.streams = streams;
    this.proofs = proofs;
    this.counters = counters;
    this.sendBuffer = ByteBuffer.allocateDirect(datagramMaxBytes);
  }

  /** All that leaves together has been sent. */
  void endBurst() {
    datagramSender.endBurst();
  }

  @Override
  public void close() throws IOException {
    streams.close();
    datagramSender.close();
  }

  @Override
  public void datagram(Destination to, byte[] frame, int size) {
    switch (to) {
      case Destination.Unicast(InetSocketAddress socket) -> sendToProven(socket, frame, size);
      case Destination.Group(InetSocketAddress socket, List<InetSocketAddress> members) -> {
        sendBuffer.clear().put(frame, 0, size).flip();
        if (!sendToGroup(socket)) {
          members.forEach(member -> sendToProven(member, frame, size));
        }
      }
    }
  }

  @Override
  public void stream(Destination to, byte[] frame, int size) {
    byte[] kept = Arrays.copyOf(frame, size);
    switch (to) {
      case Destination.Unicast(InetSocketAddress socket) -> sendToProven(socket, kept, size);
      case Destination.Group(InetSocketAddress socket, List<InetSocketAddress> members) ->
          members.forEach(member -> sendToProven(member, kept, size));
    }
  }

  /** Sends a frame now if its receiver may get it, else once it has proved its address. */
  private void sendToProven(InetSocketAddress to, byte[] frame, int size) {
    long nowNanos = proofs == null ? 0 : System.nanoTime();
    if (proofs == null || proofs.isProven(to, nowNanos)) {
      send(to, frame, size);
      return;
    }
    if (proofs.admits(to, size, nowNanos)) {
      send(to, frame, size);
    } else if (!proofs.hold(to, Arrays.copyOf(frame, size), nowNanos)) {
      counters.count(Kind.UNPROVEN);
    }
    challenge(to, proofs, nowNanos);
  }

  /** Asks for a proof, unless that was done just now. */
  void challenge(InetSocketAddress to, Proofs asking, long nowNanos) {
    Message challenge = asking.challenge(to, nowNanos);
    if (challenge != null) {
      sendAtOnce(to, challenge);
    }
  }

  /** As a datagram if it fits one, else by a stream, which keeps it. */
  void send(InetSocketAddress to, byte[] frame, int size) {
    if (size > datagramMaxBytes) {
      streams.send(to, frame);
    } else {
      sendBuffer.clear().put(frame, 0, size).flip();
      sendToOne(to);
    }
  }

  /** A frame of its own, which waits for nothing. */
  void sendAtOnce(InetSocketAddress to, Message... messages) {
    ByteWriter writer = new ByteWriter(datagramMaxBytes);
    FrameCodec.begin(writer, config.cluster(), config.sender());
    for (Message message : messages) {
      FrameCodec.add(writer, message);
    }
    FrameCodec.end(writer);
    send(to, writer.array(), writer.size());
  }

  private void sendToOne(InetSocketAddress socket) {
    try {
      send(socket);
    } catch (IOException refused) {
      counters.count(Kind.DATAGRAMS_NOT_SENT);
    }
  }

  /** Sends through all interfaces; false if none takes it, then they are left alone for a while. */
  @SuppressWarnings("ReferenceEquality") // It is the same list until it changes.
  private boolean sendToGroup(InetSocketAddress group) {
    List<NetworkInterface> present = networks.present();
    boolean changed = present != used;
    if (changed) {
      used = present;
      rest.end();
    }
    if (present.isEmpty() || !rest.isOver(System.nanoTime())) {
      return false;
    }
    boolean sent = false;
    for (NetworkInterface network : present) {
      sent |= sendToGroup(group, network, changed || present.size() > 1);
    }
    if (!sent) {
      rest.failed(System.nanoTime());
    }
    return sent;
  }

  private boolean sendToGroup(
      InetSocketAddress group, NetworkInterface network, boolean chooseNetwork) {
    try {
      if (chooseNetwork) {
        Sockets.sendThrough(datagrams, network);
      }
      sendBuffer.rewind();
      send(group);
      return true;
    } catch (IOException | UnsupportedOperationException noMulticast) {
      return false;
    }
  }

  private void send(InetSocketAddress socket) throws IOException {
    try {
      boolean taken = datagramSender.send(sendBuffer, socket);
      counters.count(taken ? Kind.DATAGRAMS_SENT : Kind.DATAGRAMS_NOT_SENT);
    } catch (UnsupportedAddressTypeException otherFamily) {
      throw new IOException("an IPv6 address for an IPv4 socket", otherFamily);
    }
  }
}

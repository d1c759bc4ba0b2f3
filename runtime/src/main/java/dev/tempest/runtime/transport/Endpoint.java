package dev.tempest.runtime.transport;

import dev.tempest.protocol.membership.Occupant;
import dev.tempest.runtime.transport.Counters.Kind;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Frame;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a server or front-end meets the network: datagrams, one by one or to a group, and streams
 * for what does not fit one. Nothing that is sent is promised to arrive, or to arrive once or in
 * order.
 *
 * <p>Its owner calls it from one thread at a time, but for {@link #await}, during which another
 * thread may send, and {@link #wakeup}.
 */
public final class Endpoint implements AutoCloseable {
  /** The largest frame; only streams carry such. */
  public static final int FRAME_MAX_BYTES = FrameCodec.MAX_FRAME_BYTES;

  /** Larger datagrams gain nothing and lose more at once; what is larger is cut, and so refused. */
  private static final int DATAGRAM_MAX_BYTES = 16 << 10;

  private static final int IPV4_HEADERS_BYTES = 28;
  private static final int IPV6_HEADERS_BYTES = 48;
  private static final int ETHERNET_MTU_BYTES = 1_500;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** What is sent to addresses waits for their proofs as far as it fits. */
  private static final long UNPROVEN_WAITING_BYTES_MAX =
      Math.min(4L << 20, Runtime.getRuntime().maxMemory() / 64);

  /** Takes what arrived. */
  @FunctionalInterface
  public interface Receiver {
    /** A whole frame of this cluster. */
    void received(PeerAddress from, Frame frame);
  }

  /** A socket for datagrams, and whether there may be any. */
  private static final class Source {
    private final DatagramChannel channel;
    private boolean ready;

    Source(DatagramChannel channel) {
      this.channel = channel;
    }
  }

  private final EndpointConfig config;
  private final Selector selector;
  private final DatagramChannel datagrams;
  private final Networks networks;
  private final List<Source> sources = new ArrayList<>();
  private final List<GroupSocket> groups = new ArrayList<>();
  private final LargeFrames largeFrames;
  private final Doorplate doorplate;
  private final IncomingStreams incoming;
  private final Outbox outbox;
  private final Sender sender;
  private final Counters counters = new Counters();
  private final OtherVersions otherVersions;
  private final SplittableRandom drops;
  private final ByteBuffer receiveBuffer = ByteBuffer.allocateDirect(DATAGRAM_MAX_BYTES);
  private final byte[] received = new byte[DATAGRAM_MAX_BYTES];
  private final PeerAddress address;

  /** Of those that ask; null if nobody asks. */
  private final @Nullable Proofs proofs;

  private final Claims claims = new Claims();

  private Endpoint(EndpointConfig config, Sockets sockets) throws IOException {
    this.config = config;
    this.datagrams = sockets.datagrams();
    this.address = new PeerAddress((InetSocketAddress) datagrams.getLocalAddress());
    this.drops = new SplittableRandom(config.dropSeed());
    this.proofs = config.isAskedByAnybody() ? new Proofs(UNPROVEN_WAITING_BYTES_MAX) : null;
    this.selector = Selector.open();
    this.networks = new Networks(config.bind(), sockets.networks(), selector::wakeup);
    listen(datagrams);
    this.otherVersions = new OtherVersions(config.cluster(), config.isAskedByAnybody(), counters);
    this.largeFrames = new LargeFrames(config.isAskedByAnybody());
    this.doorplate = new Doorplate(config.cluster());
    this.incoming =
        new IncomingStreams(
            sockets.streams(),
            config.accepted(),
            largeFrames,
            doorplate,
            IncomingStreams.Limits.DEFAULT,
            selector::wakeup,
            otherVersions,
            counters);
    int datagramMaxBytes = datagramMaxBytes(sockets.networks(), config.bind());
    OutgoingStreams outgoing =
        new OutgoingStreams(address.socket().getPort(), OutgoingStreams.Limits.DEFAULT, counters);
    this.sender =
        new Sender(config, sockets, networks, datagramMaxBytes, outgoing, proofs, counters);
    this.outbox =
        new Outbox(
            config.cluster(), config.sender(), datagramMaxBytes, FRAME_MAX_BYTES, sender, counters);
  }

  /**
   * Binds the sockets and listens.
   *
   * @throws UncheckedIOException if they cannot be bound; its message says why and what to do
   */
  public static Endpoint open(EndpointConfig config) {
    Sockets sockets = Sockets.open(config.bind(), config.port());
    try {
      return new Endpoint(config, sockets);
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot open a selector: " + failed.getMessage(), failed);
    }
  }

  /** What is bound. */
  public PeerAddress address() {
    return address;
  }

  /** What was done and refused. */
  public Counters counters() {
    return counters;
  }

  /** Who speaks only other versions of the wire. */
  public OtherVersions otherVersions() {
    return otherVersions;
  }

  /** From now on whoever knocks hears that a member is here, or that none is. */
  public void member(boolean isMember) {
    doorplate.member(isMember);
  }

  /** A way to speak while the loop is busy. */
  public Aside aside() {
    return new Aside(config, datagrams, counters);
  }

  /** A way to find out who is where; {@code found} is told, by any thread. */
  public Knocks knocks(BiConsumer<PeerAddress, Occupant> found) {
    return new Knocks(config.cluster(), config.sender(), found);
  }

  /**
   * Receives from now on what is sent to a group, on networks that come later once they are there.
   *
   * @return false if no network carries it now
   */
  public boolean join(InetSocketAddress group) {
    try {
      GroupSocket joining = GroupSocket.open(group);
      listen(joining.channel());
      groups.add(joining);
      joinGroups();
      return joining.hasJoined();
    } catch (IOException | UnsupportedOperationException noMulticast) {
      return false;
    }
  }

  /** Joins groups wherever they have not been joined. */
  private void joinGroups() {
    List<NetworkInterface> present = networks.present();
    boolean lacking = false;
    for (int i = 0; i < groups.size(); i++) {
      GroupSocket group = groups.get(i);
      if (group.isStale(present)) {
        group = replaced(group);
        groups.set(i, group);
      }
      group.join(present);
      lacking |= group.isLacking(present) || group.isStale(present);
    }
    networks.lacking(lacking);
  }

  /** The same one if there can be no other. */
  private GroupSocket replaced(GroupSocket stale) {
    try {
      GroupSocket fresh = GroupSocket.open(stale.group());
      listen(fresh.channel());
      sources.removeIf(source -> source.channel.equals(stale.channel()));
      stale.channel().close();
      return fresh;
    } catch (IOException | UnsupportedOperationException later) {
      return stale;
    }
  }

  /**
   * Receives from now on what a peer sends with a socket of its own, before all else: whatever
   * others send, it takes no room there. Where the system cannot, nothing changes.
   *
   * @return whether it can
   */
  public boolean hearApart(PeerAddress peer) {
    try {
      Source source = register(Sockets.connected(datagrams, peer.socket()));
      sources.add(0, source);
      return true;
    } catch (IOException | UnsupportedOperationException | UnsupportedAddressTypeException no) {
      return false;
    }
  }

  /** Ends what {@link #hearApart} began; what is still on its way from the peer comes as usual. */
  public void hearTogether(PeerAddress peer) {
    for (Source source : List.copyOf(sources)) {
      try {
        if (peer.socket().equals(source.channel.getRemoteAddress())) {
          sources.remove(source);
          source.channel.close();
        }
      } catch (IOException broken) {
        sources.remove(source);
      }
    }
  }

  /**
   * From now on those are the members: only they may send all that is large.
   *
   * @param addresses by their ids, where they are reached
   */
  public void membersAt(Map<Long, InetSocketAddress> addresses) {
    claims.members(addresses);
    largeFrames.from(
        proofs == null ? Set.copyOf(addresses.values()) : proofs.sendersOf(addresses.values()));
  }

  /** Sends a message to one endpoint, at the latest at {@link #flush}. */
  public void send(PeerAddress to, Message message) {
    outbox.add(new Destination.Unicast(to.socket()), message);
  }

  /**
   * Sends a message to a group, at the latest at {@link #flush}.
   *
   * @param members those that each get a copy where multicast does not work
   */
  public void multicast(InetSocketAddress group, List<InetSocketAddress> members, Message message) {
    outbox.add(new Destination.Group(group, members), message);
  }

  /** Sends what the turn has gathered. */
  public void flush() {
    outbox.flush();
    sender.endBurst();
  }

  /**
   * Waits until something has arrived, {@link #wakeup} is called or the thread interrupted.
   *
   * @param timeoutNanos how long at most, rounded up to milliseconds; {@link Long#MAX_VALUE} for
   *     ever
   * @return false once the endpoint is closed
   */
  public boolean await(long timeoutNanos) {
    for (int i = 0; i < sources.size(); i++) {
      sources.get(i).ready = false; // The selector says again what is ready still.
    }
    try {
      if (timeoutNanos <= 0) {
        selector.selectNow(Endpoint::markReady);
      } else if (timeoutNanos == Long.MAX_VALUE) {
        selector.select(Endpoint::markReady);
      } else {
        selector.select(Endpoint::markReady, 1 + (timeoutNanos - 1) / NANOS_PER_MILLI);
      }
      return selector.isOpen();
    } catch (ClosedSelectorException closed) {
      return false;
    } catch (IOException broken) {
      throw new UncheckedIOException("the selector failed: " + broken.getMessage(), broken);
    }
  }

  /** Ends the {@link #await} under way, or the next one at once. Any thread may call it. */
  public void wakeup() {
    selector.wakeup();
  }

  /**
   * Hands over what has arrived since the last {@link #await}, bad bytes and lost causes excepted.
   *
   * @param max how many frames at most per socket
   * @return how many were taken off the sockets; 0 if nothing is left to be received
   */
  public int receive(int max, Receiver receiver) {
    if (networks.takeDue()) {
      joinGroups();
    }
    int count = 0;
    for (Inbound next; count < max && (next = incoming.poll()) != null; count++) {
      deliver(next, receiver);
    }
    for (int i = 0; i < sources.size(); i++) {
      Source source = sources.get(i);
      for (int taken = 0; source.ready && taken < max; taken++) {
        if (receiveOne(source, receiver)) {
          count++;
        } else {
          source.ready = false;
        }
      }
    }
    otherVersions.takeAsking().forEach(peer -> sender.sendAtOnce(peer.socket()));
    return count;
  }

  @Override
  public void close() {
    networks.close();
    incoming.close();
    try {
      for (Source source : sources) {
        source.channel.close();
      }
      selector.close();
      sender.close();
    } catch (IOException broken) {
      counters.count(Kind.STREAMS_BROKEN);
    }
  }

  private void listen(DatagramChannel channel) throws IOException {
    sources.add(register(channel));
  }

  private Source register(DatagramChannel channel) throws IOException {
    Source source = new Source(channel);
    channel.register(selector, SelectionKey.OP_READ, source);
    return source;
  }

  private static void markReady(SelectionKey key) {
    if (key.attachment() instanceof Source source) {
      source.ready = true;
    }
  }

  /** False if there is no datagram. */
  private boolean receiveOne(Source source, Receiver receiver) {
    InetSocketAddress from;
    receiveBuffer.clear();
    try {
      from = (InetSocketAddress) source.channel.receive(receiveBuffer);
    } catch (IOException undeliverable) {
      // A report about something sent earlier, or the socket is closed.
      return false;
    }
    if (from == null) {
      return false;
    }
    counters.count(Kind.DATAGRAMS_RECEIVED);
    if (!config.accepted().test(from.getAddress())) {
      if (!isOwn(from)) {
        counters.count(Kind.STRANGERS);
      }
      return true;
    }
    if (config.dropPercent() > 0 && drops.nextDouble() * 100 < config.dropPercent()) {
      counters.count(Kind.DATAGRAMS_DROPPED);
      return true;
    }
    int size = receiveBuffer.flip().remaining();
    receiveBuffer.get(received, 0, size);
    Frame frame;
    try {
      frame = FrameCodec.read(new ByteReader(received, 0, size));
    } catch (MalformedException malformed) {
      otherVersions.take(new PeerAddress(from), new ByteReader(received, 0, size));
      return true;
    }
    deliver(new Inbound(new PeerAddress(from), frame, size), receiver);
    return true;
  }

  /** What goes to a group comes back to whoever is in it. */
  private boolean isOwn(InetSocketAddress from) {
    return from.getPort() == address.socket().getPort()
        && networks.present().stream()
            .flatMap(NetworkInterface::inetAddresses)
            .anyMatch(from.getAddress()::equals);
  }

  private void deliver(Inbound inbound, Receiver receiver) {
    List<Message> messages = inbound.frame().messages();
    if (inbound.frame().cluster() != config.cluster()) {
      counters.count(Kind.OTHER_CLUSTER);
      return;
    }
    otherVersions.understood(inbound.from());
    if (messages.size() == 1 && messages.getFirst() instanceof Message.AddressMessage message) {
      prove(inbound.from().socket(), message, receiver);
    } else if (proofs == null) {
      receiver.received(inbound.from(), inbound.frame());
    } else {
      deliver(inbound, proofs, receiver);
    }
  }

  /**
   * Whoever is to be a member has to be where it says, and so has whoever makes this process keep
   * something for it, also one to which this process spoke first.
   */
  private void deliver(Inbound inbound, Proofs asked, Receiver receiver) {
    long nowNanos = System.nanoTime();
    InetSocketAddress from = whereabouts(inbound, asked, nowNanos);
    asked.heard(from, inbound.sizeBytes(), nowNanos);
    if (asked.isProven(from, nowNanos)
        || (!inbound.has(Message.ContentsRequest.class)
            && (asked.isAsked(from, nowNanos) || !inbound.has(Message.MemberMessage.class)))) {
      receiver.received(new PeerAddress(from), inbound.frame());
    } else {
      asked.keep(inbound, nowNanos);
      sender.challenge(from, asked, nowNanos);
    }
  }

  private InetSocketAddress whereabouts(Inbound inbound, Proofs asked, long nowNanos) {
    return asked.whereabouts(inbound.from().socket(), claims.of(inbound.frame()), nowNanos);
  }

  /** Somebody asks whether this endpoint is where it says, or answers that. */
  private void prove(InetSocketAddress from, Message.AddressMessage message, Receiver receiver) {
    switch (message) {
      case Message.AddressChallenge(Bytes asked, long token) ->
          sender.sendAtOnce(from, new Message.AddressProof(asked, token));
      case Message.AddressProof proof -> {
        long nowNanos = System.nanoTime();
        InetSocketAddress proven = proofs == null ? null : proofs.proved(from, proof, nowNanos);
        if (proofs == null || proven == null) {
          counters.count(Kind.UNEXPECTED);
        } else {
          if (!from.equals(proven) && claims.isMember(proven)) {
            largeFrames.from(proofs.sendersOf(claims.members()));
          }
          Inbound kept = proofs.takeKept(from);
          proofs.release(proven).forEach(waited -> sender.send(proven, waited, waited.length));
          if (kept != null) {
            deliverKept(kept, proofs, nowNanos, receiver);
          }
        }
      }
    }
  }

  /** Whoever said it has proved its address, or somebody has proved another one in its name. */
  private void deliverKept(Inbound kept, Proofs asked, long nowNanos, Receiver receiver) {
    InetSocketAddress from = whereabouts(kept, asked, nowNanos);
    if (asked.isProven(from, nowNanos)) {
      receiver.received(new PeerAddress(from), kept.frame());
    } else {
      asked.keep(kept, nowNanos);
    }
  }

  /** What fits a packet of each interface. */
  private static int datagramMaxBytes(List<NetworkInterface> networks, InetAddress bind) {
    int mtuBytes = networks.isEmpty() ? ETHERNET_MTU_BYTES : Integer.MAX_VALUE;
    for (NetworkInterface network : networks) {
      try {
        mtuBytes = Math.min(mtuBytes, network.getMTU());
      } catch (IOException unknown) {
        mtuBytes = Math.min(mtuBytes, ETHERNET_MTU_BYTES);
      }
    }
    int headersBytes = bind instanceof Inet6Address ? IPV6_HEADERS_BYTES : IPV4_HEADERS_BYTES;
    return Math.min(DATAGRAM_MAX_BYTES, mtuBytes - headersBytes);
  }
}

package dev.tempest.bench.floor;

import dev.tempest.bench.load.ChildMain;
import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.load.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.HdrHistogram.Histogram;

/** Closed-loop clients of {@link FloorServer}s: one thread, one socket, no protocol. */
public final class FloorClient {
  /** A request without an answer for this long is sent again. */
  private static final long RESEND_NANOS = 100_000_000;

  private static final int TICK_MILLIS = 20;

  private final DatagramChannel channel;
  private final SocketAddress servers;
  private final FloorFormat format;
  private final boolean blocking;
  private final ByteBuffer out = ByteBuffer.allocateDirect(FloorFormat.MAX_BYTES);
  private final ByteBuffer in = ByteBuffer.allocateDirect(FloorFormat.MAX_BYTES);

  private int nextSequence;
  private int[] sequences = new int[0];
  private long[] sentNanos = new long[0];
  private int outstanding;
  private long resent;
  private long measureFromNanos;
  private long measureToNanos;
  private long endNanos;
  private Histogram interactionNanos = Sample.newHistogram();

  private FloorClient(
      DatagramChannel channel, SocketAddress servers, FloorFormat format, boolean blocking) {
    this.channel = channel;
    this.servers = servers;
    this.format = format;
    this.blocking = blocking;
  }

  /**
   * Runs the parent's plans. Arguments: address and port of the servers, bytes of a request, mode.
   */
  public static void main(String[] args) throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, FloorFormat.RECEIVE_BUFFER_BYTES);
    channel.setOption(
        StandardSocketOptions.IP_MULTICAST_IF, NetworkInterface.getByInetAddress(loopback));
    channel.bind(new InetSocketAddress(loopback, 0));
    FloorClient client =
        new FloorClient(
            channel,
            new InetSocketAddress(args[0], Integer.parseInt(args[1])),
            new FloorFormat(Integer.parseInt(args[2])),
            args[3].equals("blocking"));
    Thread.ofVirtual().start(client::tick);
    ChildMain.serve(client::run);
  }

  /** Wakes the receiving thread by an empty datagram: it alone looks for lost requests. */
  private void tick() {
    try (DatagramChannel ticker = DatagramChannel.open(StandardProtocolFamily.INET)) {
      while (true) {
        Thread.sleep(TICK_MILLIS);
        ticker.send(ByteBuffer.allocate(1), channel.getLocalAddress());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Sample run(LoadPlan plan) throws IOException {
    if (plan.thinkMillis() > 0) {
      throw new IllegalArgumentException("floors do not think");
    }
    sequences = new int[plan.clients()];
    sentNanos = new long[plan.clients()];
    resent = 0;
    interactionNanos = Sample.newHistogram();
    long startNanos = System.nanoTime();
    measureFromNanos = startNanos + plan.warmUpMillis() * 1_000_000L;
    measureToNanos = measureFromNanos + plan.measuredMillis() * 1_000_000L;
    endNanos = startNanos + plan.totalMillis() * 1_000_000L;
    outstanding = plan.clients();
    for (int client = 0; client < plan.clients(); client++) {
      sequences[client] = nextSequence++;
      send(client, System.nanoTime());
    }
    if (blocking) {
      while (outstanding > 0) {
        in.clear();
        channel.receive(in);
        received();
      }
    } else {
      select();
    }
    return new Sample(interactionNanos, measureToNanos - measureFromNanos, resent, 0);
  }

  private void select() throws IOException {
    channel.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_READ);
      while (outstanding > 0) {
        selector.select(key -> drain());
      }
    }
  }

  private void drain() {
    try {
      in.clear();
      while (channel.receive(in) != null) {
        received();
        in.clear();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void received() throws IOException {
    in.flip();
    long now = System.nanoTime();
    if (in.remaining() < FloorFormat.HEADER_BYTES) {
      resendLost(now);
      return;
    }
    int client = in.getInt(0);
    if (client >= sequences.length || in.getInt(4) != sequences[client]) {
      return; // The second answer to a request that was sent again.
    }
    if (now - measureFromNanos >= 0 && now - measureToNanos < 0) {
      interactionNanos.recordValue(Math.min(now - sentNanos[client], Sample.MAX_NANOS));
    }
    if (now - endNanos < 0) {
      sequences[client] = nextSequence++;
      send(client, now);
    } else {
      sequences[client] = -1;
      outstanding--;
    }
  }

  private void resendLost(long now) throws IOException {
    for (int client = 0; client < sequences.length; client++) {
      if (sequences[client] != -1 && now - sentNanos[client] > RESEND_NANOS) {
        resent++;
        send(client, now);
      }
    }
  }

  private void send(int client, long now) throws IOException {
    sentNanos[client] = now;
    out.clear();
    format.write(out, client, sequences[client]);
    out.flip();
    channel.send(out, servers);
  }
}

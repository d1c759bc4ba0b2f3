package dev.tempest.bench.floor;

import dev.tempest.bench.load.ChildMain;
import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.load.Sample;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
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

  /** In place of the number of a request: the client sends no more. */
  private static final int ENDED = -1;

  /** Waits for answers and hands them over, until all requests have ended. */
  @FunctionalInterface
  private interface Receiving {
    void run(FloorClient client) throws IOException;
  }

  private final InetSocketAddress servers;
  private final int replyBytes;
  private final FloorSender out;
  private final Receiving receiving;

  private int nextSequence;
  private int[] sequences = new int[0];
  private long[] sentNanos = new long[0];
  private int outstanding;
  private long answered;
  private long resent;
  private long measureFromNanos;
  private long measureToNanos;
  private long endNanos;
  private Histogram interactionNanos = Sample.newHistogram();

  private FloorClient(
      InetSocketAddress servers, int replyBytes, FloorSender out, Receiving receiving) {
    this.servers = servers;
    this.replyBytes = replyBytes;
    this.out = out;
    this.receiving = receiving;
  }

  /**
   * Runs the parent's plans. Arguments: address and port of the servers, bytes of a request, mode,
   * bytes of a reply.
   */
  public static void main(String[] args) throws IOException {
    InetSocketAddress servers = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
    int requestBytes = Integer.parseInt(args[2]);
    int replyBytes = Integer.parseInt(args[4]);
    FloorMode mode = FloorMode.valueOf(args[3]);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    InetSocketAddress own = new InetSocketAddress(loopback, FreePorts.find(1).getFirst());
    FloorClient client =
        mode == FloorMode.SYSTEM_BATCHING
            ? batching(servers, SystemDatagrams.open(own, requestBytes), replyBytes)
            : receiving(servers, open(own), requestBytes, replyBytes, mode);
    Thread.ofVirtual().start(() -> tick(own));
    ChildMain.serve(client::run);
  }

  private static DatagramChannel open(InetSocketAddress own) throws IOException {
    DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, FloorDatagrams.RECEIVE_BUFFER_BYTES);
    channel.setOption(
        StandardSocketOptions.IP_MULTICAST_IF, NetworkInterface.getByInetAddress(own.getAddress()));
    return channel.bind(own);
  }

  private static FloorClient batching(
      InetSocketAddress servers, SystemDatagrams socket, int replyBytes) {
    return new FloorClient(
        servers,
        replyBytes,
        socket,
        client -> {
          int count = socket.receive();
          for (int i = 0; i < count; i++) {
            client.received(socket.datagram(i));
          }
        });
  }

  private static FloorClient receiving(
      InetSocketAddress servers,
      DatagramChannel channel,
      int requestBytes,
      int replyBytes,
      FloorMode mode)
      throws IOException {
    ByteBuffer in = ByteBuffer.allocateDirect(FloorDatagrams.MAX_BYTES);
    FloorDatagrams out = new FloorDatagrams(channel, requestBytes, mode);
    if (mode == FloorMode.BLOCKING) {
      return new FloorClient(
          servers,
          replyBytes,
          out,
          client -> {
            channel.receive(in.clear());
            client.received(in.flip());
          });
    }
    channel.configureBlocking(false);
    Selector selector = Selector.open();
    channel.register(selector, SelectionKey.OP_READ);
    return new FloorClient(
        servers,
        replyBytes,
        out,
        client -> {
          selector.select(ready -> {});
          while (channel.receive(in.clear()) != null) {
            client.received(in.flip());
          }
        });
  }

  /** Wakes the receiving thread by a short datagram: it alone looks for lost requests. */
  private static void tick(InetSocketAddress own) {
    try (DatagramChannel ticker = DatagramChannel.open(StandardProtocolFamily.INET)) {
      while (true) {
        Thread.sleep(TICK_MILLIS);
        ticker.send(ByteBuffer.allocate(1), own);
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
    answered = 0;
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
    out.flush();
    while (outstanding > 0) {
      receiving.run(this);
      out.flush();
    }
    return new Sample(interactionNanos, measureToNanos - measureFromNanos, answered, resent, 0);
  }

  private void received(ByteBuffer in) throws IOException {
    long now = System.nanoTime();
    if (in.remaining() < replyBytes) {
      resendLost(now);
    }
    for (int at = 0; at + replyBytes <= in.limit(); at += replyBytes) {
      answered(in.getInt(at), in.getInt(at + 4), now);
    }
  }

  private void answered(int client, int sequence, long now) throws IOException {
    if (client >= sequences.length || sequence != sequences[client]) {
      return; // The second answer to a request that was sent again.
    }
    answered++;
    if (now - measureFromNanos >= 0 && now - measureToNanos < 0) {
      interactionNanos.recordValue(Math.min(now - sentNanos[client], Sample.MAX_NANOS));
    }
    if (now - endNanos < 0) {
      sequences[client] = nextSequence++;
      send(client, now);
    } else {
      sequences[client] = ENDED;
      outstanding--;
    }
  }

  private void resendLost(long now) throws IOException {
    for (int client = 0; client < sequences.length; client++) {
      if (sequences[client] != ENDED && now - sentNanos[client] > RESEND_NANOS) {
        resent++;
        send(client, now);
      }
    }
  }

  private void send(int client, long now) throws IOException {
    sentNanos[client] = now;
    out.add(client, sequences[client], servers);
  }
}

package dev.tempest.bench;

import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.runtime.transport.MulticastGroups;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.Call;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that multicast requests to {@link PaddedCart} at a rate of their own and listen to no
 * answer: by turns an update and a read, each client of a cart of its own.
 */
final class RogueClients {
  private static final int THREADS = 8;
  private static final int REQUEST_BYTES = 1_024;
  private static final int ITEMS = 64;
  private static final long BURST_NANOS = 1_000_000;
  private static final long LATE_MAX_NANOS = 20_000_000;

  private final int clients;
  private final int perSecond;
  private final InetSocketAddress group;
  private final long cluster = NameHash.of(TempestAddress.CLUSTER);
  private final long service = NameHash.of(TempestServer.CART);
  private final long firstClient = ThreadLocalRandom.current().nextLong();
  private final ServiceMethod add = PaddedCart.method("add");
  private final ServiceMethod check = PaddedCart.method("check");
  private final ByteWriter writer = new ByteWriter(FrameCodec.MAX_FRAME_BYTES);

  private RogueClients(TempestAddress address, int clients, int perSecond) {
    this.clients = clients;
    this.perSecond = perSecond;
    this.group = MulticastGroups.of(cluster, service, address.multicastPort());
  }

  /** Floods for so long by several threads; answers how many requests were sent. */
  static Program<Duration, Long> program(TempestAddress address, int clients, int perSecond) {
    return () ->
        duration -> {
          Callable<Long> some =
              () ->
                  new RogueClients(address, Math.ceilDiv(clients, THREADS), perSecond / THREADS)
                      .flood(duration);
          try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            long sent = 0;
            for (Future<Long> flood : threads.invokeAll(Collections.nCopies(THREADS, some))) {
              sent += flood.get();
            }
            return sent;
          }
        };
  }

  private long flood(Duration duration) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    long startNanos = System.nanoTime();
    long begunNanos = startNanos;
    long sent = 0;
    try (DatagramSocket socket = new DatagramSocket(0, loopback)) {
      socket.setOption(
          StandardSocketOptions.IP_MULTICAST_IF, NetworkInterface.getByInetAddress(loopback));
      for (long now = startNanos; now - startNanos < duration.toNanos(); now = System.nanoTime()) {
        // What could not be sent in time is left out.
        long due = Math.min(now - begunNanos, LATE_MAX_NANOS) * perSecond / 1_000_000_000;
        begunNanos = due == 0 ? begunNanos : now;
        for (long last = sent + due; sent < last; sent++) {
          byte[] frame = request((int) (sent % clients), 1 + sent / clients);
          socket.send(new DatagramPacket(frame, writer.size(), group));
        }
        LockSupport.parkNanos(BURST_NANOS);
      }
    }
    return sent;
  }

  /** The bytes of a request; valid until the next one. */
  private byte[] request(int number, long turn) {
    long client = firstClient + number;
    RequestId id = new RequestId(client, 1 + turn / 2);
    String customer = "rogue " + number;
    String item = CartClient.item((int) (turn % ITEMS));
    byte[] padding = new byte[REQUEST_BYTES];
    writer.reset();
    FrameCodec.begin(writer, cluster, client);
    FrameCodec.add(
        writer,
        turn % 2 == 0 ? update(id, customer, item, padding) : read(id, customer, item, padding));
    FrameCodec.end(writer);
    return writer.array();
  }

  private Message update(RequestId id, String customer, String item, byte[] padding) {
    Call call = new Call(add.number(), add.encode(new Object[] {customer, item, 1, padding}));
    long stamp = Stamp.atMillis(System.currentTimeMillis());
    return new Message.Update(service, id, new OrderPart.Stamped(stamp), call, 0, 1, id.sequence());
  }

  private Message read(RequestId id, String customer, String item, byte[] padding) {
    Call call = new Call(check.number(), check.encode(new Object[] {customer, item, padding}));
    return new Message.Read(service, id, call);
  }
}

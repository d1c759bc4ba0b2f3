package dev.tempest.bench;

import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.HdrHistogram.Histogram;

/** Closed-loop clients of {@link FloorServer}s: one thread, one socket, no protocol. */
final class FloorClient implements Program.Answers<LoadPlan, Point> {
  private static final int TICK_MILLIS = 20;

  /** A request without an answer for this long is sent again. */
  private static final long RESEND_NANOS = 100_000_000;

  /** In place of the number of a request: the client sends no more. */
  private static final int ENDED = -1;

  private final Floor floor;
  private final FloorSocket socket;
  private int nextSequence;
  private int[] sequences = new int[0];
  private long[] sentNanos = new long[0];
  private int[] replies = new int[0];
  private int outstanding;
  private long answered;
  private long measureFromNanos;
  private long endNanos;
  private Histogram interactionNanos = new Histogram(Point.SIGNIFICANT_DIGITS);

  FloorClient(Floor floor) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    InetSocketAddress own = new InetSocketAddress(loopback, FreePorts.find(1).getFirst());
    this.floor = floor;
    this.socket = new FloorSocket(own, floor.requestBytes(), floor.mode());
    Thread.ofVirtual().start(() -> tick(own));
  }

  /** Wakes the receiving thread by a short datagram: it alone looks for lost requests. */
  private static void tick(InetSocketAddress own) {
    try (DatagramChannel ticker = DatagramChannel.open()) {
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

  @Override
  public Point answer(LoadPlan plan) throws IOException {
    sequences = new int[plan.clients()];
    sentNanos = new long[plan.clients()];
    replies = new int[plan.clients()];
    answered = 0;
    interactionNanos = new Histogram(Point.SIGNIFICANT_DIGITS);
    long startNanos = System.nanoTime();
    measureFromNanos = startNanos + plan.warmUpMillis() * 1_000_000L;
    endNanos = measureFromNanos + plan.measuredMillis() * 1_000_000L;
    outstanding = plan.clients();
    for (int client = 0; client < plan.clients(); client++) {
      sequences[client] = nextSequence++;
      send(client, System.nanoTime());
    }
    socket.flush();
    while (outstanding > 0) {
      socket.receive((datagram, from) -> received(datagram));
      socket.flush();
    }
    return plan.result(interactionNanos, endNanos - measureFromNanos, answered, 0);
  }

  private void received(ByteBuffer in) throws IOException {
    long now = System.nanoTime();
    int replyBytes = floor.replyBytes();
    if (in.remaining() < replyBytes) {
      resendLost(now);
    }
    for (int at = 0; at + replyBytes <= in.limit(); at += replyBytes) {
      answered(in.getInt(at), in.getInt(at + 4), now);
    }
  }

  private void answered(int client, int sequence, long now) throws IOException {
    if (client >= sequences.length || sequence != sequences[client]) {
      return; // One answer more to a request that was sent again.
    }
    if (++replies[client] < floor.replies()) {
      return;
    }
    answered++;
    if (now - measureFromNanos >= 0 && now - endNanos < 0) {
      interactionNanos.recordValue(now - sentNanos[client]);
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
        send(client, now);
      }
    }
  }

  private void send(int client, long now) throws IOException {
    sentNanos[client] = now;
    replies[client] = 0;
    socket.add(client, sequences[client], floor.servers());
  }
}

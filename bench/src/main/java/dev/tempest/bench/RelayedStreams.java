package dev.tempest.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;

/**
 * The streams of one way of a {@link DelayingRelay}, such as states that are too large for
 * datagrams.
 */
final class RelayedStreams {
  private static final int PART_BYTES = 16 << 10;
  private static final int BACKLOG = 64;

  private final DelayingRelay.Way way;
  private final Delay delay;
  private long seed;

  private RelayedStreams(DelayingRelay.Way way, Delay delay) {
    this.way = way;
    this.delay = delay;
  }

  static void start(DelayingRelay.Way way, Delay delay) throws IOException {
    RelayedStreams relayed = new RelayedStreams(way, delay);
    ServerSocket own = new ServerSocket(way.port(), BACKLOG, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("relay streams").start(() -> relayed.accept(own));
  }

  private void accept(ServerSocket own) {
    try {
      while (true) {
        connect(own.accept());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void connect(Socket from) throws IOException {
    try {
      Socket to = new Socket();
      to.connect(way.to());
      relay(from, to);
      relay(to, from);
    } catch (IOException nobodyThere) {
      from.close();
    }
  }

  private void relay(Socket from, Socket to) {
    DelayLine line = new DelayLine(delay, seed++);
    Thread.ofPlatform().daemon().name("relay stream").start(() -> relay(from, to, line));
  }

  private static void relay(Socket from, Socket to, DelayLine line) {
    byte[] part = new byte[PART_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int size = in.read(part); size >= 0; size = in.read(part)) {
        byte[] read = Arrays.copyOf(part, size);
        line.put(() -> out.write(read));
      }
    } catch (IOException broken) {
      // The other side is told below.
    }
    line.put(to::close); // One way is closed only with the other: our streams go one way.
  }
}

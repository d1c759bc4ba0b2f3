package dev.tempest.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Finds ports on which nobody listens, for demos, tests and benchmarks on one machine. */
public final class FreePorts {
  private static final int ATTEMPTS_MAX = 100;

  private FreePorts() {}

  /**
   * Different loopback ports that are free for both datagrams and streams at this moment.
   *
   * @throws UncheckedIOException if there are none
   */
  public static List<Integer> find(int count) {
    List<AutoCloseable> held = new ArrayList<>();
    try {
      List<Integer> ports = new ArrayList<>();
      for (int attempt = 0; ports.size() < count; attempt++) {
        ServerSocket stream = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        held.add(stream);
        try {
          int port = stream.getLocalPort();
          held.add(
              new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
          ports.add(port);
        } catch (IOException taken) {
          if (attempt > ATTEMPTS_MAX + count) {
            throw taken;
          }
        }
      }
      return ports;
    } catch (IOException none) {
      throw new UncheckedIOException("no " + count + " free ports on the loopback address", none);
    } finally {
      held.forEach(FreePorts::close);
    }
  }

  private static void close(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception alreadyClosed) {
      throw new IllegalStateException("a socket cannot be closed", alreadyClosed);
    }
  }
}

package dev.tempest.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * The least that a server of a group can do: receives every request, answers those whose turn is
 * its own. One server alone on a unicast address is a UDP echo.
 */
record FloorServer(Floor floor, int index) implements Program<String, String> {
  @Override
  public Answers<String, String> start() throws IOException {
    FloorSocket socket = new FloorSocket(floor.servers(), floor.replyBytes(), floor.mode());
    Thread.ofPlatform().daemon().name("floor-server").start(() -> serve(socket));
    return question -> "";
  }

  private void serve(FloorSocket socket) {
    try {
      while (true) {
        socket.receive((datagram, from) -> answer(socket, datagram, from));
        socket.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void answer(FloorSocket socket, ByteBuffer datagram, InetSocketAddress from)
      throws IOException {
    int requestBytes = floor.requestBytes();
    for (int at = 0; at + requestBytes <= datagram.limit(); at += requestBytes) {
      int client = datagram.getInt(at);
      int sequence = datagram.getInt(at + 4);
      if (Math.floorMod(client + sequence - index, floor.count()) < floor.replies()) {
        socket.add(client, sequence, from);
      }
    }
  }
}

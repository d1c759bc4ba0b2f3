package dev.tempest.cluster;

import dev.tempest.FrontEndConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.runtime.transport.MulticastGroups;
import dev.tempest.service.execution.ServiceInterface;
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
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Floods servers with datagrams as fast as they go out, and listens to no answer: updates, reads
 * that take long, and bytes that mean nothing, to the group and to each server.
 */
final class RogueProgram {
  private static final int CLIENTS = 128;
  private static final int GARBAGE_BYTES = 1_000;

  private RogueProgram() {}

  /**
   * Floods until it is killed.
   *
   * @param arguments a name, then all servers
   */
  public static void main(String[] arguments) throws IOException {
    long cluster = NameHash.of(FrontEndConfig.DEFAULT_CLUSTER);
    long service = NameHash.of(ServerProgram.SERVICE);
    List<SocketAddress> victims = new ArrayList<>();
    victims.add(MulticastGroups.of(cluster, service, FrontEndConfig.DEFAULT_MULTICAST_PORT));
    for (String server : Arrays.asList(arguments).subList(1, arguments.length)) {
      String[] parts = server.split(":", 2);
      victims.add(new InetSocketAddress(parts[0], Integer.parseInt(parts[1])));
    }
    Call slowRead = new Call(method(false).number(), method(false).encode(new Object[0]));
    byte[] garbage = new byte[GARBAGE_BYTES];
    try (DatagramSocket socket = new DatagramSocket()) {
      System.out.println(HostProcess.ANSWER + "ready");
      for (long sequence = 1; ; sequence++) {
        RequestId id = new RequestId(sequence % CLIENTS, 1 + sequence / CLIENTS);
        byte[] read = frame(cluster, id, new Message.Read(service, id, slowRead));
        byte[] update = frame(cluster, id, update(service, id, sequence));
        for (SocketAddress victim : victims) {
          socket.send(new DatagramPacket(update, update.length, victim));
          socket.send(new DatagramPacket(read, read.length, victim));
          socket.send(new DatagramPacket(garbage, garbage.length, victim));
        }
      }
    }
  }

  private static ServiceMethod method(boolean isUpdate) {
    return ServiceInterface.of(JournalOfUpdates.class).methods().stream()
        .filter(method -> method.isUpdate() == isUpdate)
        .findFirst()
        .orElseThrow();
  }

  /** Writes a tag that no client writes. */
  private static Message update(long service, RequestId id, long sequence) {
    ServiceMethod write = method(true);
    Call call = new Call(write.number(), write.encode(new Object[] {-sequence}));
    long stamp = Stamp.atMillis(System.currentTimeMillis());
    return new Message.Update(service, id, new OrderPart.Stamped(stamp), call, 0, 1, id.sequence());
  }

  private static byte[] frame(long cluster, RequestId id, Message message) {
    ByteWriter writer = new ByteWriter(FrameCodec.MAX_FRAME_BYTES);
    FrameCodec.begin(writer, cluster, id.client());
    FrameCodec.add(writer, message);
    FrameCodec.end(writer);
    return Arrays.copyOf(writer.array(), writer.size());
  }
}

package dev.tempest.cluster;

import dev.tempest.FrontEndConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.transport.MulticastGroups;
import dev.tempest.service.ServiceInterface;
import dev.tempest.service.ServiceMethod;
import dev.tempest.values.ByteWriter;
import dev.tempest.wire.Call;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
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
 * Floods servers with datagrams as fast as they go out, and listens to no answer: reads that take
 * long, to the group and to each server, and bytes that mean nothing.
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
    Call call = new Call(slowRead().number(), slowRead().encode(new Object[0]));
    byte[] garbage = new byte[GARBAGE_BYTES];
    try (DatagramSocket socket = new DatagramSocket()) {
      System.out.println(HostProcess.ANSWER + "ready");
      for (long sequence = 1; ; sequence++) {
        byte[] read = read(cluster, service, sequence, call);
        for (SocketAddress victim : victims) {
          socket.send(new DatagramPacket(read, read.length, victim));
          socket.send(new DatagramPacket(garbage, garbage.length, victim));
        }
      }
    }
  }

  private static ServiceMethod slowRead() {
    return ServiceInterface.of(JournalOfUpdates.class).methods().stream()
        .filter(method -> !method.isUpdate())
        .findFirst()
        .orElseThrow();
  }

  private static byte[] read(long cluster, long service, long sequence, Call call) {
    long client = sequence % CLIENTS;
    ByteWriter writer = new ByteWriter(FrameCodec.MAX_FRAME_BYTES);
    FrameCodec.begin(writer, cluster, client);
    FrameCodec.add(writer, new Message.Read(service, new RequestId(client, sequence), call));
    FrameCodec.end(writer);
    return Arrays.copyOf(writer.array(), writer.size());
  }
}

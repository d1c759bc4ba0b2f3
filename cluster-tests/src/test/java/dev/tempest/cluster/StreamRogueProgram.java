package dev.tempest.cluster;

import dev.tempest.FrontEndConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sends servers frames by streams that cost far more to read than to send, or are as large as there
 * is room for: each to every server, over several connections at once.
 */
final class StreamRogueProgram {
  /** The first bytes of every stream. */
  private static final int MAGIC = 0x544D5053;

  private static final int ROUNDS = 3;
  private static final int CONNECTIONS = 4;
  private static final int FRAME_BYTES = 60 << 20;
  private static final int SMALL_BYTES = 60 << 10;

  private StreamRogueProgram() {}

  /**
   * Floods once it is asked to, and says when it is over.
   *
   * @param arguments a name, then all servers
   */
  public static void main(String[] arguments) throws Exception {
    System.out.println(HostProcess.ANSWER + "ready");
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (input.readLine() != null) {
      for (int round = 0; round < ROUNDS; round++) {
        for (byte[] frame : frames()) {
          flood(List.of(arguments).subList(1, arguments.length), frame);
        }
      }
      System.out.println(HostProcess.ANSWER + "sent");
    }
  }

  private static List<byte[]> frames() {
    Call large = new Call(1, Bytes.of(new byte[FRAME_BYTES]));
    Message.ClientIds nothing = new Message.ClientIds(1, new IntervalSet());
    Message wanted = new Message.Want(1, 2, List.of(nothing));
    return List.of(
        frame(new Message.HostingRequest(), FRAME_BYTES),
        frame(new Message.HostingRequest(), SMALL_BYTES),
        frame(wanted, FRAME_BYTES),
        frame(new Message.Read(NameHash.of(ServerProgram.SERVICE), new RequestId(5, 1), large), 0),
        frame(new Message.Contents(1, 0, 0, Bytes.of(new byte[FRAME_BYTES]), ""), 0));
  }

  /** The message, again and again until the frame has so many bytes. */
  private static byte[] frame(Message message, int sizeBytes) {
    ByteWriter writer = new ByteWriter(FrameCodec.MAX_FRAME_BYTES);
    FrameCodec.begin(writer, NameHash.of(FrontEndConfig.DEFAULT_CLUSTER), 5);
    do {
      FrameCodec.add(writer, message);
    } while (writer.size() < sizeBytes);
    FrameCodec.end(writer);
    return writer.toBytes().toArray();
  }

  private static void flood(List<String> servers, byte[] frame) throws InterruptedException {
    List<Thread> senders =
        servers.stream()
            .flatMap(server ->
                IntStream.range(0, CONNECTIONS)
                    .mapToObj(number -> Thread.ofVirtual().start(() -> send(server, frame))))
            .toList();
    for (Thread sender : senders) {
      sender.join();
    }
  }

  private static void send(String server, byte[] frame) {
    String[] parts = server.split(":", 2);
    try (Socket socket = new Socket(parts[0], Integer.parseInt(parts[1]))) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(MAGIC);
      out.writeShort(9);
      out.writeInt(frame.length);
      out.write(frame);
      socket.shutdownOutput();
      socket.getInputStream().read(); // Until it is read, or refused.
    } catch (IOException refused) {
      System.out.println(server + " closed the connection: " + refused.getMessage());
    }
  }
}

package dev.tempest.cluster;

import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.transport.Counters.Kind;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EndpointConfig;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Sends turns of datagrams to somebody who does not listen, faster than the network takes them. */
final class BurstProgram {
  private static final int TURNS = 2_000;
  private static final int DATAGRAMS_PER_TURN = 32;
  private static final int BYTES = 1_024;

  private BurstProgram() {}

  /**
   * Sends, and says how many datagrams the network did not take.
   *
   * @param arguments a name, the address to bind, the peer
   */
  public static void main(String[] arguments) throws UnknownHostException {
    long cluster = NameHash.of("burst");
    PeerAddress peer = PeerAddress.all(arguments[2]).getFirst();
    Call call = new Call(0, Bytes.of(new byte[BYTES]));
    InetAddress bind = InetAddress.getByName(arguments[1]);
    try (Endpoint endpoint = Endpoint.open(new EndpointConfig(bind, 0, cluster, 1, 0, 0))) {
      System.out.println(HostProcess.ANSWER + "ready");
      long sequence = 0;
      for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < DATAGRAMS_PER_TURN; i++) {
          endpoint.send(peer, new Message.Read(1, new RequestId(1, ++sequence), call));
        }
        endpoint.flush();
      }
      System.out.println(HostProcess.ANSWER + endpoint.counters().get(Kind.DATAGRAMS_NOT_SENT));
    }
  }
}

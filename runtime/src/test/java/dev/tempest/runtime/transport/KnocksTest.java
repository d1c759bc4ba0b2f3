package dev.tempest.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.membership.Occupant;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who lives at an address, whether it answers or not. */
@Timeout(60)
final class KnocksTest {
  private static final long CLUSTER = 7;

  private final BlockingQueue<Occupant> found = new LinkedBlockingQueue<>();
  private final Knocks knocks = new Knocks(CLUSTER, 1, (at, occupant) -> found.add(occupant));

  @AfterEach
  void close() {
    knocks.close();
  }

  @Test
  void nobodyLivesAtAPortThatIsFree() throws IOException, InterruptedException {
    int port;
    try (ServerSocket free = listener()) {
      port = free.getLocalPort();
    }
    knocks.knock(at(port));
    assertThat(found.take()).isEqualTo(Occupant.NONE);
  }

  /** Its machine may be there, and the way to it is cut: nothing says that nobody lives there. */
  @Test
  void whereNothingComesBackIsBeyondReach() throws InterruptedException {
    knocks.knock(new PeerAddress(new InetSocketAddress("100::1", 7400))); // Nowhere, RFC 6666.
    assertThat(found.take()).isEqualTo(Occupant.UNREACHABLE);
  }

  @Test
  void aProcessThatIsStoppedIsSilentUntilItIsGone() throws IOException, InterruptedException {
    try (ServerSocket stopped = listener();
        DatagramSocket datagrams =
            new DatagramSocket(stopped.getLocalPort(), InetAddress.getLoopbackAddress())) {
      knocks.knock(at(stopped.getLocalPort()));
      assertThat(found.take()).isEqualTo(Occupant.SILENT);
      knocks.knock(at(stopped.getLocalPort())); // That is under way.
      assertThat(datagrams.isBound()).isTrue();
      assertThat(found.poll(1, TimeUnit.SECONDS)).as("it stays silent").isNull();
    }
    assertThat(found.take()).isEqualTo(Occupant.NONE);
    assertThat(found).isEmpty();
  }

  @Test
  void whateverTakesNoDatagramsIsNoProcessOfTempest() throws IOException, InterruptedException {
    try (ServerSocket web = listener()) {
      knocks.knock(at(web.getLocalPort()));
      assertThat(found.take()).isEqualTo(Occupant.SILENT);
      assertThat(found.take()).isEqualTo(Occupant.NONE);
    }
  }

  @Test
  void aProcessSaysWhetherItIsAMemberWhateverItsOwnerDoes() throws InterruptedException {
    try (Endpoint endpoint = endpoint(CLUSTER)) {
      assertThat(knock(endpoint)).isEqualTo(Occupant.NONE);
      endpoint.member(true);
      assertThat(knock(endpoint)).isEqualTo(Occupant.MEMBER);
      endpoint.member(false);
      assertThat(knock(endpoint)).isEqualTo(Occupant.NONE);
    }
  }

  @Test
  void aMemberOfAnotherClusterIsNobody() throws InterruptedException {
    try (Endpoint endpoint = endpoint(CLUSTER + 1)) {
      endpoint.member(true);
      assertThat(knock(endpoint)).isEqualTo(Occupant.NONE);
    }
  }

  private Occupant knock(Endpoint endpoint) throws InterruptedException {
    knocks.knock(endpoint.address());
    assertThat(found.take()).isEqualTo(Occupant.SILENT);
    return found.take();
  }

  private static Endpoint endpoint(long cluster) {
    return Endpoint.open(new EndpointConfig(InetAddress.getLoopbackAddress(), 0, cluster, 2, 0, 0));
  }

  private static ServerSocket listener() throws IOException {
    return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  private static PeerAddress at(int port) {
    return new PeerAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }
}

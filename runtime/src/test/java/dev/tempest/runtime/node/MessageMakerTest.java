package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.Eventually;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EndpointConfig;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.HostingRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class MessageMakerTest {
  private static final PeerAddress ASKER =
      new PeerAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7_400));

  private final List<String> made = new CopyOnWriteArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  private Message make(String what) {
    made.add(what);
    begun.countDown();
    try {
      goOn.await();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
    return new HostingRequest();
  }

  /** Else what takes longer than an asker waits is made more and more often, and nothing else. */
  @Test
  void whoeverAsksAgainGetsWhatItAskedForLastOnce() throws InterruptedException {
    EndpointConfig config = new EndpointConfig(InetAddress.getLoopbackAddress(), 0, 7, 2, 0, 0);
    try (Endpoint endpoint = Endpoint.open(config);
        MessageMaker maker = new MessageMaker(endpoint, "test", 8)) {
      maker.make(ASKER, "state", () -> make("first"));
      begun.await();
      for (int again = 0; again < 100; again++) {
        String what = "again " + again;
        maker.make(ASKER, "state", () -> make(what));
      }
      maker.make(ASKER, "other state", () -> make("other"));
      goOn.countDown();
      Eventually.eventually("all is made", () -> made.contains("other"));
      assertThat(made).containsExactly("first", "again 99", "other");
    }
  }
}

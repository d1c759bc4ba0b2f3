package dev.tempest.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions.Reads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Linearizable: what one process has saved, all show from then on. */
final class SessionsByConsensusTest extends SessionsSuite {
  private static final List<Node> NODES = new ArrayList<>();

  @BeforeAll
  static void join() {
    String[] members = {freeAddress(), freeAddress(), freeAddress()};
    List<CompletableFuture<Node>> joining = new ArrayList<>();
    for (String member : members) {
      joining.add(
          CompletableFuture.supplyAsync(() -> join(member, members), Thread::startVirtualThread));
    }
    joining.forEach(each -> NODES.add(each.join()));
  }

  private static Node join(String member, String... members) {
    return Tempest.join(
        NodeConfig.builder()
            .listen(member)
            .members(members)
            .multicastPort(0)
            .reads(Reads.LOCAL)
            .collection(
                "*", CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build())
            .build());
  }

  private static String freeAddress() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return "127.0.0.1:" + socket.getLocalPort();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @AfterAll
  static void leave() {
    NODES.forEach(Node::close);
  }

  @Override
  Node oneNode() {
    return NODES.get(0);
  }

  @Override
  Node otherNode() {
    return NODES.get(1);
  }

  @Test
  void whatIsSavedIsThereAtOnceWithoutAToken() {
    SessionsConfig config = SessionsConfig.builder().name("own").build();
    try (Sessions one = Sessions.of(oneNode(), config);
        Sessions other = Sessions.of(otherNode(), config)) {
      Session session = one.create();
      session.save();
      String id = session.id();
      Sessions here = one;
      for (int i = 0; i < 500; i++) {
        Session request = here.find(id).orElseThrow();
        if (i > 0) {
          assertThat(request.get("count")).isEqualTo(i - 1);
        }
        request.set("count", i);
        request.save();
        here = here == one ? other : one;
      }
    }
  }
}

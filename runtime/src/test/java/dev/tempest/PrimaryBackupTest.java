package dev.tempest;

import static dev.tempest.wire.ReplicaRole.SPARE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.runtime.Eventually;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.runtime.service.Deployment;
import dev.tempest.wire.ReplicaRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three servers, of which two have the state of a service. */
@Timeout(120)
final class PrimaryBackupTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<String> members =
      FreePorts.find(3).stream()
          .map(port -> "127.0.0.1:" + port)
          .collect(Collectors.toCollection(ArrayList::new));
  private final List<LocalNode> nodes = new ArrayList<>();

  @AfterEach
  void closeAll() {
    nodes.forEach(LocalNode::close);
  }

  @Test
  void theStateSurvivesOneServerAfterTheOther() throws InterruptedException {
    startAll();
    try (FrontEnd frontEnd = frontEnd()) {
      Board board = frontEnd.service("board", Board.class);
      for (long round = 1; round <= 3; round++) {
        assertThat(board.add("a", 1)).isEqualTo(2 * round - 1);
        Eventually.eventually("there are two copies", () -> withState().size() == 2);
        LocalNode ends = withState().getFirst();
        ends.close();
        assertThat(board.add("a", 1)).isEqualTo(2 * round);
        assertThat(board.count("a")).isEqualTo(2 * round);
        int place = nodes.indexOf(ends);
        nodes.set(place, start(place, Consistency.PRIMARY_BACKUP));
        assertThat(nodes.get(place).awaitActive(PATIENCE)).isTrue();
      }
    }
  }

  /** Whichever server an application runs in, one of them has no copy. */
  @Test
  void frontEndsOfAllServersAreAnswered() throws InterruptedException {
    startAll();
    Eventually.eventually("there are two copies", () -> withState().size() == 2);
    Eventually.eventually("the other one knows that it has none", () -> roles().contains(SPARE));
    long sum = 0;
    for (int round = 0; round < 20; round++) {
      for (LocalNode node : nodes) {
        try (FrontEnd frontEnd = new FrontEnd(node.client())) {
          Board board = frontEnd.service("board", Board.class);
          assertThat(board.add("a", 1)).isEqualTo(++sum);
          assertThat(board.count("a")).isEqualTo(sum);
        }
      }
    }
  }

  @Test
  void twoServersAreTooFew() {
    members.removeLast();
    assertThatThrownBy(() -> start(0, Consistency.PRIMARY_BACKUP))
        .hasMessageContaining("service 'board' is kept by a primary")
        .hasMessageContaining("list three or more");
  }

  /** A primary and a leader that a majority elects never follow each other. */
  @Test
  void whoComesBackToHostItByAMajorityStops() throws InterruptedException {
    startAll();
    Eventually.eventually("there are two copies", () -> withState().size() == 2);
    nodes.get(0).close();
    nodes.set(0, start(0, Consistency.LINEARIZABLE));
    assertThatThrownBy(() -> nodes.getFirst().awaitActive(PATIENCE))
        .hasMessageContaining("consistency: primary-backup");
  }

  private void startAll() throws InterruptedException {
    for (int place = 0; place < members.size(); place++) {
      nodes.add(start(place, Consistency.PRIMARY_BACKUP));
    }
    for (LocalNode node : nodes) {
      assertThat(node.awaitActive(PATIENCE)).isTrue();
    }
  }

  private LocalNode start(int place, Consistency consistency) {
    NodeConfig config =
        NodeConfig.builder()
            .listen(members.get(place))
            .members(members.toArray(String[]::new))
            .multicastPort(0)
            .build();
    ServiceOptions options = ServiceOptions.builder().consistency(consistency).build();
    return LocalNode.start(
        config, List.of(Deployment.of("board", Board.class, BoardService::new, options)));
  }

  private FrontEnd frontEnd() {
    return FrontEnd.connect(
        FrontEndConfig.builder(members.toArray(String[]::new)).multicastPort(0).build());
  }

  private List<ReplicaRole> roles() throws InterruptedException {
    List<ReplicaRole> roles = new ArrayList<>();
    for (LocalNode node : nodes) {
      node.status().services().stream()
          .filter(each -> each.name().equals("board"))
          .forEach(each -> roles.add(each.role()));
    }
    return roles;
  }

  /** The nodes that have a copy. */
  private List<LocalNode> withState() throws InterruptedException {
    List<LocalNode> with = new ArrayList<>();
    for (LocalNode node : nodes) {
      if (node.status().services().stream()
          .anyMatch(each -> each.name().equals("board") && each.active())) {
        with.add(node);
      }
    }
    return with;
  }
}

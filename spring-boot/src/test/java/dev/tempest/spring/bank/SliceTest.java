package dev.tempest.spring.bank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.spring.Tempest;
import dev.tempest.spring.test.TempestTest;
import dev.tempest.spring.test.TestCluster;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

/** A test of users that has collections and services, in a cluster of its own. */
@TempestTest(
    nodes = 3,
    properties = {"tempest.acks=4", "tempest.dns=nowhere.invalid"})
@Timeout(60)
final class SliceTest {
  @Autowired
  @Tempest("owners")
  private Map<String, String> owners;

  @Autowired private Accounts accounts;
  @Autowired private TestCluster cluster;
  @Autowired private Node node;
  @Autowired private ApplicationContext context;

  @Test
  void whatIsWrittenIsAtAllNodesAndSurvivesOne() {
    owners.put("1", "alice");
    assertThat(cluster.nodes()).hasSize(3).startsWith(node);
    for (Node each : cluster.nodes()) { // The application wants more acks, and gets all.
      assertThat(each.<String, String>map("owners", String.class, String.class))
          .containsEntry("1", "alice");
    }
    assertThat(accounts.add("2", 30)).isEqualTo(30);
    cluster.node(2).close();
    assertThat(accounts.add("2", 12)).isEqualTo(42);
    assertThat(accounts.of("2")).isEqualTo(42);
  }

  @Test
  void componentsAreLeftOut() {
    assertThat(context.getBeansOfType(Teller.class)).isEmpty();
  }
}

package dev.tempest.spring.bank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.spring.test.AutoConfigureTestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** A test of users that has their whole application, in a cluster of its own. */
@SpringBootTest(properties = "tempest.members=10.255.255.1")
@AutoConfigureTestCluster
@Timeout(60)
final class WholeApplicationTest {
  @Autowired private Teller teller;
  @Autowired private Node node;

  @Test
  void theApplicationFindsItsClusterAndNoOther() {
    assertThat(teller.open("1", "alice")).isEqualTo(1);
    assertThat(node.members()).singleElement().asString().startsWith("127.0.0.1:");
  }
}

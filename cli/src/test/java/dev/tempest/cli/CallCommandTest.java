package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.examples.cart.ShoppingCart;
import dev.tempest.examples.cart.ShoppingCartService;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.runtime.service.Deployment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command call. */
final class CallCommandTest {
  private static final String CLUSTER = "call-command";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void asksTheMembersThatAServerNames() {
    List<Integer> ports = FreePorts.find(2);
    String listed = "127.0.0.1:" + ports.get(0);
    try (Node without = Tempest.join(config(listed).build());
        Node host = Tempest.join(config("127.0.0.1:" + ports.get(1)).seeds(listed).build())) {
      host.host("cart", ShoppingCart.class, ShoppingCartService::new);

      assertThat(call(listed, "cart", "add", "alice", "apple", "3"))
          .as("%s", err)
          .isEqualTo(ExitCode.OK);
      assertThat(out.toString().strip()).isEqualTo("3");
      assertThat(call(listed, "card", "check", "alice", "apple")).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString())
          .startsWith("tempest: no service is called 'card' (servers " + without.members().get(0))
          .contains(host.members().get(0) + "). Did you mean 'cart'?");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "301", "99999999999"})
  void aTimeoutHasLimits(String seconds) {
    assertThat(call("127.0.0.1:1", "--deadline", seconds, "cart", "check"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString().strip())
        .isEqualTo(
            "tempest: invalid deadline of "
                + seconds
                + " seconds (option --deadline). Choose from 1 to 300");
  }

  /** One of three is no majority: it describes the service, and cannot execute. */
  @Test
  void whatIsNotAnsweredSaysWhereToLook() {
    String[] members =
        FreePorts.find(3).stream().map(port -> "127.0.0.1:" + port).toArray(String[]::new);
    ServiceOptions options =
        ServiceOptions.builder().consistency(Consistency.PRIMARY_BACKUP).build();
    try (LocalNode node =
        LocalNode.start(
            config(members[0]).members(members).build(),
            List.of(
                Deployment.of("cart", ShoppingCart.class, ShoppingCartService::new, options)))) {
      assertThat(node.address()).isEqualTo(members[0]);
      assertThat(call(members[0], "--deadline", "1", "cart", "check", "alice", "apple"))
          .as("%s", err)
          .isEqualTo(ExitCode.UNKNOWN);
      assertThat(err.toString())
          .startsWith("tempest: No reply in ")
          .endsWith(
              "). See tempest status --servers %s --cluster %s%n".formatted(members[0], CLUSTER));
      assertThat(call(members[0], "--deadline", "1", "card", "check")).isNotEqualTo(ExitCode.OK);
      assertThat(err.toString()).contains("(known: cart)").doesNotContain("tempest-views");
    }
  }

  private static NodeConfig.Builder config(String listen) {
    return NodeConfig.builder().cluster(CLUSTER).listen(listen).multicastPort(0).loopback(false);
  }

  private int call(String server, String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    List<String> all = new ArrayList<>(List.of("call", "--servers", server, "--cluster", CLUSTER));
    all.addAll(List.of(arguments));
    return line.execute(all.toArray(String[]::new));
  }
}

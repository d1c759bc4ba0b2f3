package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerTest {
  @Test
  void oneThatIsClosedWhileItJoinsServesNobody() throws InterruptedException {
    var out = new ByteArrayOutputStream();
    NodeConfig config =
        NodeConfig.builder()
            .cluster("closed-while-joining")
            .listen("127.0.0.1:" + FreePorts.find(1).getFirst())
            .multicastPort(0)
            .loopback(false)
            .build();
    Server server = Server.start(config, new PrintStream(out, true, StandardCharsets.UTF_8));
    server.close();
    server.serve();

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("stopped")
        .doesNotContain("without state", "ready");
  }
}

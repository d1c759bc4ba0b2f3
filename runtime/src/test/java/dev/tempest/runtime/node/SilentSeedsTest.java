package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.LogLines;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A node that stays alone although it names others. */
@Timeout(60)
@Execution(ExecutionMode.SAME_THREAD)
final class SilentSeedsTest {
  private static final String OWN = "127.0.0.1:7400";

  private final Logger logger = Logger.getLogger(SilentSeeds.class.getName());
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord each) {
          String text = new SimpleFormatter().formatMessage(each);
          if (text.contains("'shop'")) { // Not of a node of another test.
            said.add(each.getLevel() + " " + text);
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
  }

  @AfterEach
  void listenNoMore() {
    logger.removeHandler(handler);
  }

  private List<String> saidAmid(List<String> members, String... seeds) {
    SilentSeeds silent = seeds(seeds);
    silent.watch(Thread.currentThread(), () -> members, Duration.ofMillis(1));
    LogLines.flush(Duration.ofSeconds(10));
    return said;
  }

  private static SilentSeeds seeds(String... seeds) {
    return new SilentSeeds(
        NodeConfig.builder().cluster("shop").listen(OWN).seeds(seeds).build(),
        new OwnPlace(InetAddress.getLoopbackAddress(), 7400, Optional.empty()));
  }

  @Test
  void isWarnedOfWithWhatIsNormalAndWhatIsNot() {
    assertThat(saidAmid(List.of(OWN), "127.0.0.1:9", OWN)).hasSize(1);
    assertThat(said.getFirst())
        .startsWith("WARNING This node is still alone in its cluster 'shop'")
        .contains("from its seeds [127.0.0.1:9]. If it is the first", "all is well", "check");
  }

  @Test
  void isNotWarnedOfWithoutOthersThatItNames() {
    assertThat(saidAmid(List.of(OWN))).isEmpty();
    assertThat(saidAmid(List.of(OWN), OWN)).isEmpty();
    assertThat(saidAmid(List.of(OWN), "localhost:7400", "127.0.0.1")).isEmpty();
  }

  @Test
  void isNotWarnedOfOnceThereAreOthersNorBeforeItIsAMember() {
    assertThat(saidAmid(List.of(OWN, "10.0.0.2:7400"), "127.0.0.1:9")).isEmpty();
    assertThat(saidAmid(List.of(), "127.0.0.1:9")).isEmpty();
  }

  @Test
  void whatIsBoundToAllAddressesIsAtEachOfThem() throws Exception {
    NodeConfig config =
        NodeConfig.builder()
            .advertise("10.9.9.9:7500")
            .seeds("127.0.0.1:7400", "10.9.9.9:7500")
            .build();
    SilentSeeds silent =
        new SilentSeeds(
            config, new OwnPlace(InetAddress.getByName("0.0.0.0"), 7400, config.advertise(7400)));
    silent.watch(Thread.currentThread(), () -> List.of(OWN), Duration.ofMillis(1));
    assertThat(silent.amid(List.of(OWN))).isEmpty();
  }

  @Test
  void areToldByTheMonitor() throws Exception {
    NodeConfig config =
        NodeConfig.builder()
            .cluster("seeds-" + ProcessHandle.current().pid())
            .listen("127.0.0.1")
            .seeds("127.0.0.1:9")
            .multicastPort(0)
            .loopback(false)
            .build();
    try (LocalNode node = LocalNode.join(config)) {
      LocalMonitor monitor = new LocalMonitor(node);
      while (monitor.health().warnings().isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(monitor.health().warnings()).anyMatch(each -> each.contains("127.0.0.1:9"));
      assertThat(monitor.health().ready()).isTrue();
    }
  }
}

package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.Address;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Message.Contents;
import dev.tempest.wire.Message.ContentsRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What tools read is kept for a while, whatever they ask. */
final class ReadingsTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final Address TOOL = PeerAddress.all("127.0.0.1:8").getFirst();
  private static final Address OTHER = PeerAddress.all("127.0.0.1:9").getFirst();

  private final LocalNode node =
      LocalNode.join(
          NodeConfig.builder()
              .cluster("readings-" + ProcessHandle.current().pid())
              .listen("127.0.0.1:" + FreePorts.find(1).getFirst())
              .multicastPort(0)
              .loopback(false)
              .build());
  private final List<Hosted> replicas;
  private final Readings readings = new Readings();
  private long nowNanos;

  ReadingsTest() {
    Map<Integer, String> map =
        node.declare("map", state -> state.map("map", Integer.class, String.class));
    for (int key = 0; key < 100; key++) {
      map.put(key, "x".repeat(2_000));
    }
    replicas = node.host.machines.replicas();
  }

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void whoeverReadsOnGetsAllPieces() {
    assertThat(readFrom(TOOL, 1)).hasSizeGreaterThan(2).allMatch(ReadingsTest::isThere);
  }

  @Test
  void aReadingEndsHoweverOftenItIsBegun() {
    Contents first = ask(TOOL, 1, Assembly.FIRST_WISH);
    Bytes second = Objects.requireNonNull(Assembly.wishAfter(first.piece()));
    for (; nowNanos < Readings.READING_NANOS; nowNanos += 5 * SECOND_NANOS) {
      assertThat(isThere(ask(TOOL, 1, Assembly.FIRST_WISH))).isTrue();
      assertThat(isThere(ask(TOOL, 1, second))).isTrue();
    }
    nowNanos++;
    Contents late = ask(TOOL, 1, second);
    assertThat(isThere(late)).isFalse();
    assertThat(late.reason()).contains("read again");
    assertThat(readFrom(TOOL, 2)).allMatch(ReadingsTest::isThere);
  }

  @Test
  void aReadingEndsAlsoIfNobodyAsksAnyMore() {
    assertThat(isThere(ask(TOOL, 1, Assembly.FIRST_WISH))).isTrue();
    assertThat(readings.size()).isOne();
    nowNanos += 11 * SECOND_NANOS;
    readings.endThoseOver(nowNanos);
    assertThat(readings.size()).isZero();
  }

  @Test
  void whoBeginsManyEndsItsOwnOnly() {
    Contents first = ask(OTHER, 1_000, Assembly.FIRST_WISH);
    for (long reading = 0; reading < 3 * Readings.READINGS_MAX; reading++) {
      assertThat(isThere(ask(TOOL, reading, Assembly.FIRST_WISH))).isTrue();
      assertThat(readings.size()).isLessThanOrEqualTo(Readings.READINGS_MAX);
    }
    Bytes second = Objects.requireNonNull(Assembly.wishAfter(first.piece()));
    assertThat(isThere(ask(OTHER, 1_000, second))).isTrue();
    assertThat(isThere(ask(TOOL, 0, second))).isFalse();
  }

  private List<Contents> readFrom(Address tool, long reading) {
    List<Contents> pieces = new ArrayList<>();
    for (Bytes wish = Assembly.FIRST_WISH; wish != null; ) {
      Contents piece = ask(tool, reading, wish);
      pieces.add(piece);
      wish = Assembly.wishAfter(piece.piece());
    }
    return pieces;
  }

  private Contents ask(Address tool, long reading, Bytes wish) {
    return readings
        .answer(
            tool,
            new ContentsRequest(1, replicas.getFirst().name(), reading, wish),
            replicas,
            nowNanos)
        .get();
  }

  private static boolean isThere(Contents piece) {
    return piece.piece().size() > 0;
  }
}

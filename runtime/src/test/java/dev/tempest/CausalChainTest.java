package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.frontend.SeenByService;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CausalChainTest {
  private static final long SERVICE = 77;

  @Test
  void aChainReadsItsWritesAndHandsThemOn() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(3, true);
        FrontEnd frontEnd = cluster.frontEnd();
        FrontEnd other = cluster.frontEnd()) {
      CausalChain chain = frontEnd.causal();
      Board board = frontEnd.reading(Reads.of(1), chain.service(Board.class));
      CausalChain second = other.causal();
      Board theirs = other.reading(Reads.hedged(2), second.service(Board.class));
      for (int i = 1; i <= 300; i++) {
        board.add("a", 1);
        assertThat(board.count("a")).isEqualTo(i);
        second.saw(Handle.parse(chain.handle().toString()));
        assertThat(theirs.count("a")).isEqualTo(i);
      }
      assertThat(frontEnd.causal(second.handle()).service(Board.class).count("a")).isEqualTo(300);
    }
  }

  @Test
  void whatSettlesNeedsNoPlaceInAHandle() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(3, true);
        FrontEnd frontEnd = cluster.frontEnd()) {
      CausalChain chain = frontEnd.causal();
      Board board = chain.service(Board.class);
      board.add("a", 1);
      eventually(
          "the update has settled",
          () -> {
            board.count("a");
            return chain.handle().toBytes().length < 40;
          });
    }
  }

  @Test
  void whatNobodyHasIsNotRead() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(3, true);
        FrontEnd frontEnd =
            FrontEnd.connect(cluster.frontEndConfig().deadline(Duration.ofMillis(300)).build())) {
      long board = NameHash.of("board");
      Seen lost = SeenByTime.of(new RequestId(5, 1), System.currentTimeMillis() << 16);
      CausalChain chain = frontEnd.causal(handle(board, lost));
      assertThatThrownBy(() -> chain.service(Board.class).count("a"))
          .isInstanceOf(UnableException.class)
          .hasMessageContaining("BEHIND");
    }
  }

  @Test
  void aHandleComesBackFromItsBytesAndItsText() {
    Handle handle = handle();
    assertThat(Handle.of(handle.toBytes())).isEqualTo(handle);
    assertThat(Handle.parse(handle.toString())).isEqualTo(handle);
    assertThat(Handle.parse(Handle.NOTHING.toString())).isEqualTo(Handle.NOTHING);
    assertThat(handle.toString()).matches("[A-Za-z0-9_-]+");
  }

  @Test
  void whateverIsNoHandleIsRefused() {
    byte[] bytes = handle().toBytes();
    String text = handle().toString();
    List<String> texts = new ArrayList<>(List.of("", "A", "Ag", "AQ", text + "A", text + "=", "ä"));
    texts.forEach(wrong ->
        assertThatThrownBy(() -> Handle.parse(wrong))
            .as(wrong)
            .isInstanceOf(IllegalArgumentException.class));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> Handle.of(cut)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> Handle.of(new byte[Handle.BYTES_MAX + 1]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void damagedBytesAreAHandleOrRefused() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = handle().toBytes();
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      try {
        assertThat(Handle.of(bytes).toBytes()).isEqualTo(bytes);
      } catch (IllegalArgumentException refused) {
        assertThat(refused).hasMessageContaining("handle");
      }
    }
  }

  @Test
  void theGreaterOfTwoHandlesHasWhatBothHave() {
    Seen one = SeenByTime.of(new RequestId(3, 1), 10);
    SeenByTime two =
        new SeenByTime(new Prefix(7, 4, 99), 20, SeenByTime.of(new RequestId(3, 2), 20).clients());
    Handle both = handle(SERVICE, one).max(handle(SERVICE, two));
    SeenByTime seen = (SeenByTime) both.seen().of(SERVICE);
    assertThat(seen.settled()).isEqualTo(two.settled());
    assertThat(seen.stamp()).isEqualTo(20);
    assertThat(seen.clients())
        .containsExactly(new SeenByTime.OfClient(3, 20, IntervalSet.of(1, 2)));
    assertThat(both.max(Handle.NOTHING)).isEqualTo(both);
  }

  private static Handle handle(long service, Seen seen) {
    return new Handle(SeenByService.NOTHING.with(service, seen));
  }

  private static Handle handle() {
    Seen seen =
        SeenByTime.of(new RequestId(-5, 300), 1L << 40).max(SeenByTime.of(new RequestId(9, 2), 5));
    Seen settled = new SeenByTime(new Prefix(100, 5, -3), 0, List.of());
    return handle(SERVICE, seen.max(settled)).max(handle(-SERVICE, settled));
  }
}

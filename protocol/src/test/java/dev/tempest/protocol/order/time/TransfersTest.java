package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Kept;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.PieceRequest;
import dev.tempest.wire.Message.PieceUnavailable;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.ReplicaMessage;
import dev.tempest.wire.Message.StateOffer;
import dev.tempest.wire.Message.StatePiece;
import dev.tempest.wire.Past;
import dev.tempest.wire.Piece;
import dev.tempest.wire.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class TransfersTest {
  private final Nodes nodes = new Nodes();
  private final Nodes.Node one = nodes.start(1);
  private final Nodes.Node two = nodes.start(2);

  private long fill() {
    nodes.together(1, 2);
    for (int i = 0; i < 100; i++) {
      int from = 100 * i;
      one.write(node -> {
        for (int key = from; key < from + 100; key++) {
          node.map.put(
              "key " + key, "a value of some length, so that it takes a few pieces " + key);
        }
      });
    }
    nodes.pass(5_000);
    assertThat(nodes.all(replica -> replica.unsettled().isEmpty())).isTrue();
    nodes.sent();
    return one.replica.settled().count();
  }

  /** What pieces of versions took, and how many there were. */
  private static long bytes(List<Message> sent) {
    return pieces(sent).stream().mapToLong(piece -> piece.bytes().size()).sum();
  }

  private static List<Piece.OfVersion> pieces(List<Message> sent) {
    return sent.stream()
        .filter(StatePiece.class::isInstance)
        .map(message -> ((StatePiece) message).piece())
        .filter(Piece.OfVersion.class::isInstance)
        .map(Piece.OfVersion.class::cast)
        .toList();
  }

  @Test
  void aJoinerGetsAllOfALargeStateInSmallPieces() {
    long count = fill();
    Nodes.Node three = nodes.start(3);
    nodes.together(1, 2, 3);
    nodes.pass(100);
    assertThat(three.replica.isActive()).isTrue();
    assertThat(three.replica.settled().count()).isEqualTo(count);
    assertThat(nodes.inStep()).isTrue();
    assertThat(pieces(nodes.sent()))
        .hasSizeGreaterThan(8)
        .allMatch(piece -> piece.bytes().size() < 66_000);
  }

  /** A state of any size takes its time: whoever waits for it goes on as long as more comes. */
  @Test
  void aJoinerSaysThatMoreHasComeUntilNothingDoes() {
    fill();
    Nodes.Node three = nodes.start(3);
    AtomicInteger arrived = new AtomicInteger();
    nodes.loses = message -> message instanceof StatePiece && arrived.incrementAndGet() > 6;
    nodes.together(1, 2, 3);
    nodes.pass(60_000);
    assertThat(three.replica.isActive()).isFalse();
    assertThat(nodes.cameOn).hasSize(6).containsOnly(3L);
    nodes.loses = message -> false;
    nodes.pass(20_000);
    assertThat(three.replica.isActive()).isTrue();
    assertThat(nodes.cameOn).hasSizeGreaterThan(8);
  }

  @Test
  void whenTheGiverDiesAnotherOneGoesOnWhereItStopped() {
    fill();
    Nodes.Node three = nodes.start(3);
    AtomicInteger arrived = new AtomicInteger();
    nodes.loses = message -> message instanceof StatePiece && arrived.incrementAndGet() > 6;
    nodes.together(1, 2, 3);
    nodes.pass(100);
    assertThat(three.replica.isActive()).isFalse();
    nodes.loses = message -> false;
    nodes.sent();
    nodes.crash(1);
    nodes.together(2, 3);
    nodes.pass(3_000);
    assertThat(three.replica.isActive()).isTrue();
    assertThat(nodes.inStep()).isTrue();
    long bytes = bytes(nodes.sent());

    Nodes.Node four = nodes.start(4);
    nodes.together(2, 3, 4);
    nodes.pass(100);
    assertThat(four.replica.isActive()).isTrue();
    assertThat(bytes).isBetween(1L, bytes(nodes.sent()) - 6 * 60_000);
  }

  /** The network takes longer for a large piece than a joiner waits for one giver. */
  @Test
  void aPieceThatComesAfterItsGiverWasGivenUpCounts() {
    fill();
    Nodes.Node three = nodes.start(3);
    List<StatePiece> late = new ArrayList<>();
    nodes.loses = message -> message instanceof StatePiece piece && late.add(piece);
    nodes.together(1, 2, 3);
    nodes.pass(20_000);
    StatePiece first = late.getFirst();
    assertThat(late.getLast().replica()).isNotEqualTo(first.replica());
    assertThat(nodes.cameOn).isEmpty();
    three.hears(first.replica(), first);
    assertThat(nodes.cameOn).hasSize(1);
    three.hears(first.replica(), first);
    assertThat(nodes.cameOn).hasSize(1);
    nodes.loses = message -> false;
    nodes.pass(1_000);
    assertThat(three.replica.isActive()).isTrue();
    assertThat(nodes.inStep()).isTrue();
  }

  /** Its heap is full, say, or the file of a class is gone. */
  @Test
  void whoCannotGiveAPieceSaysSoAndGoesOn() {
    fill();
    Nodes.Node three = nodes.start(3);
    nodes.together(1, 2, 3);
    Wish noWish = new Wish.OfVersion(Bytes.of((byte) 7));
    one.hears(3, new PieceRequest(Nodes.SERVICE, 3, one.replica.settled(), noWish));
    assertThat(nodes.sent()).anyMatch(PieceUnavailable.class::isInstance);
    nodes.pass(1_000);
    assertThat(three.replica.isActive()).isTrue();
    assertThat(nodes.inStep()).isTrue();
  }

  @Test
  void whatOneCannotGiveAnotherOneGives() {
    fill();
    Nodes.Node three = nodes.start(3);
    AtomicInteger refused = new AtomicInteger();
    nodes.loses =
        message -> {
          boolean isOfOne = message instanceof StatePiece piece && piece.replica() == 1;
          if (isOfOne) {
            refused.incrementAndGet();
            three.hears(1, cannot(1));
          }
          return isOfOne;
        };
    nodes.together(1, 2, 3);
    nodes.pass(2_000);
    assertThat(refused).hasPositiveValue();
    assertThat(three.replica.isActive()).isTrue();
    assertThat(nodes.inStep()).isTrue();
  }

  /** Nothing else is heard from that one which would say that it has the state, too. */
  @Test
  void whoIsRefusedAPieceAsksTheOthersAtOnce() {
    fill();
    Nodes.Node three = nodes.start(3);
    nodes.loses =
        message -> {
          if (message instanceof StatePiece piece && piece.replica() == 1) {
            three.hears(1, cannot(1));
            return true;
          }
          return message instanceof ReplicaMessage it
              && it.replica() == 2
              && !(message instanceof StateOffer || message instanceof StatePiece);
        };
    nodes.together(1, 2, 3);
    nodes.pass(100);
    assertThat(three.replica.isActive()).isTrue();
  }

  @Test
  void whereAllRefuseEachIsAskedNowAndThen() {
    fill();
    Nodes.Node three = nodes.start(3);
    nodes.loses =
        message -> {
          boolean isPiece = message instanceof StatePiece;
          if (message instanceof StatePiece piece) {
            three.hears(piece.replica(), cannot(piece.replica()));
          }
          return isPiece;
        };
    nodes.together(1, 2, 3);
    nodes.pass(10_000);
    assertThat(three.replica.isActive()).isFalse();
    assertThat(nodes.sent().stream().filter(PieceRequest.class::isInstance))
        .hasSizeBetween(20, 150);
    nodes.loses = message -> false;
    nodes.pass(500);
    assertThat(three.replica.isActive()).isTrue();
  }

  private static PieceUnavailable cannot(long replica) {
    return new PieceUnavailable(Nodes.SERVICE, replica, "its heap is full");
  }

  @Test
  void aTransferTakesSecondsWhereHalfOfAllMessagesAreLost() {
    fill();
    Nodes.Node three = nodes.start(3);
    SplittableRandom random = new SplittableRandom(1);
    nodes.loses = message -> random.nextBoolean();
    nodes.together(1, 2, 3);
    nodes.pass(25_000);
    assertThat(three.replica.isActive()).isTrue();
  }

  @Test
  void whoComesBackTakesOnlyWhatHasChanged() {
    fill();
    nodes.together(1);
    nodes.together(2);
    nodes.pass(61_000);
    one.put("key 7", "changed");
    one.put("new", "x");
    nodes.pass(3_000);
    nodes.sent();
    nodes.together(1, 2);
    nodes.pass(3_000);
    assertThat(nodes.inStep()).isTrue();
    assertThat(two.get("key 7")).isEqualTo("changed");
    assertThat(two.get("new")).isEqualTo("x");
    assertThat(bytes(nodes.sent())).isBetween(1L, 20_000L);
  }

  /** The first one that offers has closed more epochs: in those of the other one there is more. */
  @Test
  void whatHasNotSettledAtTheSecondGiverDoesNotCountAsSettled() {
    nodes.together(1, 2);
    nodes.pass(3_000);
    Nodes.Node three = nodes.start(3);
    nodes.loses = message -> message instanceof ReplicaMessage it && it.replica() == 1;
    nodes.together(1, 2, 3);
    two.put("key", "of two");
    Prefix further = new Prefix(two.replica.settled().throughEpoch() + 1_000, 0, 0);
    three.hears(
        1, new StateOffer(Nodes.SERVICE, 1, further, new Past(List.of(), List.of()), Kept.NONE));
    nodes.pass(20_000);
    assertThat(three.replica.isActive()).isTrue();
    assertThat(three.get("key")).isEqualTo("of two");
  }

  /**
   * Where nobody had anything, who is told of others asks them once more. Meanwhile the application
   * writes, for it has seen its node begin.
   */
  @Test
  void whoWritesWhileItAsksOnceMoreWaitsForNobodyForEver() {
    nodes.start(3);
    nodes.loses = message -> message instanceof ReplicaMessage;
    nodes.together(1, 2, 3);
    one.put("a", "of one");
    two.put("b", "of two");
    nodes.loses = message -> false;
    nodes.pass(2_000);
    assertThat(nodes.all(ReplicaByTime::isActive)).isTrue();
    assertThat(nodes.inStep()).isTrue();
    assertThat(nodes.node(3).get("a")).isEqualTo("of one");
    assertThat(nodes.node(3).get("b")).isEqualTo("of two");
  }
}

package dev.tempest.runtime.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.FrontEndConfig;
import dev.tempest.runtime.transport.PeerAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What front-ends know of where their servers are. */
class ServerViewTest {
  private static final PeerAddress A = new PeerAddress(new InetSocketAddress("10.0.0.1", 7400));
  private static final PeerAddress B = new PeerAddress(new InetSocketAddress("10.0.0.2", 7400));
  private static final PeerAddress C = new PeerAddress(new InetSocketAddress("10.0.0.3", 7400));

  private static final long MILLI = 1_000_000;
  private static final long START = 7 * MILLI;

  private final ServerView view =
      new ServerView(FrontEndConfig.of("srv:7400"), Map.of("srv:7400", List.of(A, B)), START);

  @Test
  void aServerWithSeveralAddressesIsOneReplica() {
    assertThat(view.ids()).hasSize(2);
    assertThat(view.learn(9, A)).isTrue();
    assertThat(view.learn(9, B)).as("the other address stood for another server").isTrue();
    assertThat(view.ids()).containsExactly(9L);
    assertThat(view.learn(9, A)).as("they are one already").isFalse();
    assertThat(view.address(9)).isEqualTo(A);
    move(B);
    assertThat(view.ids()).containsExactly(9L);
    assertThat(view.address(9)).isEqualTo(B);
    assertThat(view.takeGone()).as("who says its id is not gone").isEmpty();
  }

  @Test
  void theSameAddressesInAnotherOrderAreNoChange() {
    assertThat(view.move(Map.of("srv:7400", List.of(B, A)), START)).isFalse();
  }

  @Test
  void whoIsGoneIsNoReplicaAndWhoStaysKeepsItsId() {
    view.learn(8, A);
    view.learn(9, B);
    move(B, C);
    assertThat(view.ids()).hasSize(2).contains(9L).doesNotContain(8L);
    assertThat(view.addresses()).containsExactly(B, C);
    assertThat(view.takeGone()).containsExactly(8L);
    assertThat(view.takeGone()).as("it was taken").isEmpty();
  }

  @Test
  void whoIsGoneBeforeItHasSaidItsIdIsGone() {
    long guessed = view.ids().getFirst();
    PeerAddress stays = A.equals(view.address(guessed)) ? B : A;
    move(stays);
    assertThat(view.takeGone()).containsExactly(guessed);
  }

  @Test
  void aServerThatRestartsIsAnotherReplica() {
    view.learn(8, A);
    assertThat(view.learn(7, A)).isTrue();
    assertThat(view.address(7)).isEqualTo(A);
    assertThat(view.address(8)).isNull();
    assertThat(view.takeGone()).containsExactly(8L);
  }

  @Test
  void whoSaidTheIdOfAnotherOneAndThenItsOwnLeavesTheOtherOneThere() {
    view.learn(8, A);
    view.learn(8, B);
    assertThat(view.learn(9, B)).isTrue();
    assertThat(view.ids()).containsExactly(8L, 9L);
    assertThat(view.address(8)).isEqualTo(A);
    assertThat(view.takeGone()).isEmpty();
  }

  @Test
  void aGuessStoodForWhomeverWasThereBeforeIt() {
    long guessed = idOf(A);
    view.learn(8, A);
    assertThat(view.stayed(8, A, 5, START + 5 * MILLI)).as("it may have just begun").isFalse();
    assertThat(view.stayed(7, A, 9, START + 5 * MILLI)).as("it is another one").isFalse();
    assertThat(view.stayed(8, A, 9, START + 5 * MILLI)).isTrue();
    assertThat(view.stayed(8, A, 9, START + 5 * MILLI)).as("it is known").isFalse();
    assertThat(view.takeGuesses()).containsExactly(guessed);
    assertThat(view.takeGuesses()).as("it was taken").isEmpty();
  }

  @Test
  void aGuessMayHaveStoodForSomeoneBeforeWhomeverIsThere() {
    view.learn(8, A);
    view.learn(9, A);
    assertThat(view.stayed(9, A, 4, START + 5 * MILLI)).isFalse();
    assertThat(view.stayed(9, A, 10_000, START + 10_001 * MILLI)).isFalse();
    assertThat(view.takeGuesses()).isEmpty();
  }

  private long idOf(PeerAddress address) {
    return view.ids().stream().filter(id -> address.equals(view.address(id))).findFirst().get();
  }

  private void move(PeerAddress... addresses) {
    assertThat(view.move(Map.of("srv:7400", List.of(addresses)), START)).isTrue();
  }
}

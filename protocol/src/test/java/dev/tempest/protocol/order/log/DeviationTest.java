package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.protocol.order.Order;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import dev.tempest.state.versioned.UnreadableStateException;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class DeviationTest {
  private static final Pattern SLOTS = Pattern.compile("slots (\\d+) to (\\d+)");
  private static final Order.ByConsensus ALL_EXECUTE =
      new Order.ByConsensus(
          Order.ByConsensus.Executes.ALL,
          Order.ByConsensus.Reads.LINEARIZABLE,
          Order.ByConsensus.Log.MEMORY);

  /** It counts in another way. */
  static final class Odd implements Numbers {
    private final Numbers numbers;

    Odd(State state) {
      numbers = new Numbers.Service(state);
    }

    @Override
    public long next() {
      return -numbers.next();
    }
  }

  /** It keeps something else under the same name. */
  static final class Unlike implements Numbers {
    private final List<String> numbers;

    Unlike(State state) {
      numbers = state.list("numbers", String.class);
    }

    @Override
    public long next() {
      numbers.add("next");
      return numbers.size();
    }
  }

  private final long odd = new ReplicasByHand(ALL_EXECUTE).leader() % 3 + 1;
  private final ReplicasByHand group =
      new ReplicasByHand(new ReplicasByHand.Setup(3, id -> ALL_EXECUTE, 20_000, this::service));

  private ServiceInstance service(long id) {
    return id == odd ? ServiceInstance.of(Numbers.class, Odd::new) : Numbers.instance();
  }

  /** The group needs its vote: else the end of another one would be the end of all. */
  @Test
  void whoCannotReadWhatTheLeaderWroteStillAgrees() {
    long leader = new ReplicasByHand().leader();
    long unlike = leader % 3 + 1;
    ReplicasByHand three = unlike(unlike, 1 << 20);
    three.kill(6 - leader - unlike);
    three.ask(1, 0, three.living());
    three.run(1_000);
    assertThat(three.answers(1)).isNotEmpty();
    assertThat(three.replica(unlike).status("").active()).isFalse();
    assertThat(three.hindered().get(unlike)).contains("cannot be read");
  }

  /** Nor does it keep all that is ever agreed on. */
  @Test
  void whoNeverCanReadItEndsOnceItsLogIsLong() {
    long unlike = new ReplicasByHand().leader() % 3 + 1;
    ReplicasByHand three = unlike(unlike, 20_000);
    assertThatThrownBy(
            () -> {
              for (long sequence = 1; sequence <= 1_000; sequence++) {
                three.ask(sequence, 0, three.living());
                three.run(1);
              }
            })
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("numbers");
  }

  /** It was admitted for it had the log, before it was clear that it cannot execute it. */
  @Test
  void whoBecameAMemberInVainLeavesBeforeItEnds() {
    ReplicasByHand three =
        new ReplicasByHand(
            new ReplicasByHand.Setup(
                3,
                id -> ALL_EXECUTE,
                1 << 20,
                id ->
                    id == 4 ? ServiceInstance.of(Numbers.class, Unlike::new) : Numbers.instance()));
    three.ask(1, 0, three.living());
    three.run(1_000);
    three.lose(message ->
        message instanceof Message.OfLog of && of.said() instanceof LogMessage.StatePart);
    three.replace(three.leader() % 3 + 1, 4);
    three.run(1_000);
    assertThat(three.isActive(4)).isTrue();
    three.heal();
    assertThatThrownBy(() -> three.run(1_000)).isInstanceOf(UnreadableStateException.class);
    assertThat(three.replica(three.leader()).members()).hasSize(2).doesNotContain(4L);
  }

  private static ReplicasByHand unlike(long unlike, long logMaxBytes) {
    return new ReplicasByHand(
        new ReplicasByHand.Setup(
            3,
            id -> Order.LINEARIZABLE,
            logMaxBytes,
            id ->
                id == unlike
                    ? ServiceInstance.of(Numbers.class, Unlike::new)
                    : Numbers.instance()));
  }

  @Test
  void theLogOfOneThatDeviatesAgainAndAgainIsShortened() {
    for (long sequence = 1; sequence <= 5_000; sequence++) {
      group.ask(sequence, 0, group.living());
      group.run(1); // So it deviates again before it has come to what is committed.
    }
    assertThat(group.told()).isNotEmpty();
    assertThat(group.leader()).isNotEqualTo(odd);
    Matcher slots = SLOTS.matcher(group.replica(odd).toString());
    assertThat(slots.find()).isTrue();
    assertThat(Long.parseLong(slots.group(2))).isGreaterThan(4_900);
    assertThat(Long.parseLong(slots.group(1))).isGreaterThan(2_500);
  }
}

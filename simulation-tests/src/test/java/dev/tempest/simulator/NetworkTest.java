package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkTest {
  private static final Network.Conditions PERFECT =
      new Network.Conditions(0, 0, 0, 1_000_000, 0, 0, 0);

  private final Agenda agenda = new Agenda();
  private final List<String> arrived = new ArrayList<>();

  private Network network(Network.Conditions conditions) {
    return new Network(
        agenda,
        new Randomness(1),
        3,
        conditions,
        (from, to, frame, damaged, stream) ->
            arrived.add(from + ">" + to + ":" + frame[0] + (damaged ? "!" : "")));
  }

  private static byte[] frame(int number) {
    byte[] bytes = new byte[50];
    bytes[0] = (byte) number;
    return bytes;
  }

  private void settle() {
    agenda.runUntil(agenda.nowNanos() + 10_000_000_000L);
  }

  @Test
  void whatIsCutOneWayStillComesTheOtherWay() {
    Network network = network(PERFECT);
    network.cut(0, 1);
    network.datagram(0, 1, frame(1));
    network.datagram(1, 0, frame(2));
    settle();
    assertThat(arrived).containsExactly("1>0:2");
  }

  @Test
  void cutsAddUp() {
    Network network = network(PERFECT);
    network.cut(0, 1);
    network.cut(0, 1);
    network.mend(0, 1);
    network.datagram(0, 1, frame(1));
    network.mend(0, 1);
    network.datagram(0, 1, frame(2));
    settle();
    assertThat(arrived).containsExactly("0>1:2");
  }

  @Test
  void datagramsAreLostDoubledDamagedAndOvertaken() {
    Network network = network(new Network.Conditions(20, 10, 10, 0, 5_000_000, 5, 800_000_000));
    for (int i = 0; i < 100; i++) {
      network.datagram(0, 1, frame(i));
    }
    settle();
    assertThat(network.counts().lost()).isBetween(5L, 40L);
    assertThat(network.counts().damaged()).isBetween(2L, 25L);
    assertThat(network.counts().duplicated()).isBetween(2L, 25L);
    assertThat(arrived)
        .hasSize((int) (100 - network.counts().lost() + network.counts().duplicated()));
    assertThat(arrived.indexOf("0>1:99")).isNotEqualTo(arrived.size() - 1);
  }

  @Test
  void streamsKeepTheOrderWhateverTheDelay() {
    Network network = network(new Network.Conditions(90, 0, 0, 0, 50_000_000, 0, 0));
    for (int i = 0; i < 9; i++) {
      network.stream(0, 1, frame(i));
    }
    settle();
    assertThat(arrived)
        .containsExactly(
            "0>1:0", "0>1:1", "0>1:2", "0>1:3", "0>1:4", "0>1:5", "0>1:6", "0>1:7", "0>1:8");
  }

  @Test
  void aStreamBreaksWhenOneSideGoesDownOrIsCutOff() {
    Network network = network(PERFECT);
    network.stream(0, 1, frame(1));
    network.down(1);
    network.stream(0, 2, frame(2));
    network.cut(2, 0);
    network.mend(2, 0);
    network.stream(0, 2, frame(3));
    settle();
    assertThat(arrived).containsExactly("0>2:3");
    assertThat(network.counts().streamsBroken()).isEqualTo(2);
  }
}

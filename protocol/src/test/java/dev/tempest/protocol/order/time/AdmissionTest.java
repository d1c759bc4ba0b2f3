package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A replica remembers the clients that it knows, and takes new ones only while it has room. */
final class AdmissionTest {
  private static final int ROOM_BYTES = 500;
  private static final int AT_LEAST_MILLIS = 10_000;

  private final Cluster cluster =
      Cluster.remembering(
          2,
          new ReplicaSettings.Memory(
              AT_LEAST_MILLIS, 60_000, ROOM_BYTES, 1_024, 256, 256, 1_024, 2_048));

  @Test
  void newClientsAreRefusedWhileTheTableIsFullAndKnownOnesAreNot() {
    int client = 1;
    while (!isRefused(ask(client, 1))) {
      client++;
      cluster.pass(2_000); // What has settled is in the table.
      assertThat(client).isLessThan(20);
    }
    assertThat(client).isGreaterThan(1);
    assertThat(isRefused(ask(client - 1, 2))).isFalse();
    cluster.pass(AT_LEAST_MILLIS + 2_000); // The others are forgotten now.
    assertThat(isRefused(ask(client + 1, 1))).isFalse();
  }

  private List<Answer> ask(int client, int sequence) {
    return cluster.update(cluster.entry(client, sequence, cluster.call("add", "a", 1)), 1, 2);
  }

  private static boolean isRefused(List<Answer> answers) {
    return answers.stream()
        .allMatch(each -> each instanceof Answer.Refused no && no.reason() == Reason.OVERLOADED);
  }
}

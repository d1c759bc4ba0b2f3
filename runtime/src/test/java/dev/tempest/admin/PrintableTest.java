package dev.tempest.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tempest.runtime.frontend.ToldStatus;
import dev.tempest.wire.CheckpointAge;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Part;
import dev.tempest.wire.ReplicaRole;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a server tells gets to terminals, and may be anything. */
final class PrintableTest {
  private static final String CLEARS = "\u001b[2J\n";
  private static final String SHOWN = "?[2J?";

  @Test
  void aStatusSteersNoTerminal() {
    Message.Status told =
        new Message.Status(
            1,
            2,
            CLEARS,
            3,
            4,
            List.of(
                new Message.ServiceStatus(
                    CLEARS,
                    true,
                    ReplicaRole.LEADER,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    CheckpointAge.NONE)),
            new Part<>(List.of(new Message.MemberStatus(CLEARS, CLEARS, false)), 0),
            new Part<>(List.of(new Message.CollectionStatus(CLEARS, CLEARS, 1, 1)), 0),
            List.of(new Message.Dropped(CLEARS, 1)));

    NodeStatus status = ToldStatus.node(told, Duration.ZERO, Duration.ZERO);

    assertThat(status.name()).isEqualTo(SHOWN);
    assertThat(status.services()).extracting(ServiceStatus::name).containsExactly(SHOWN);
    assertThat(status.members()).containsExactly(new MemberStatus(SHOWN, SHOWN, false));
    assertThat(status.collections())
        .extracting(CollectionStatus::service, CollectionStatus::collection)
        .containsExactly(tuple(SHOWN, SHOWN));
    assertThat(status.dropped()).containsOnlyKeys(SHOWN);
  }

  @Test
  void aDescriptionSteersNoTerminal() {
    Message.MethodDescription method =
        new Message.MethodDescription(1, CLEARS, true, List.of(CLEARS), CLEARS);

    assertThat(
            ServiceDescription.of(
                new Message.Description(1, CLEARS, List.of(method), List.of(CLEARS))))
        .isEqualTo(
            new ServiceDescription(
                SHOWN,
                List.of(new MethodDescription(1, SHOWN, true, List.of(SHOWN), SHOWN)),
                List.of(SHOWN)));
  }
}

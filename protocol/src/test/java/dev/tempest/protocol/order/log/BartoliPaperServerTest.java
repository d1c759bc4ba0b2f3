package dev.tempest.protocol.order.log;

import static dev.tempest.protocol.order.log.HoldingsByHand.LONG;
import static dev.tempest.protocol.order.log.HoldingsByHand.are;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.wire.Answer;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The claims of sections 3.2, 4 and 5 of the paper on the replicated servlet container, in our
 * words: what goes on among the servers. How a state comes to them, in section 4.2, is {@link
 * BartoliPaperTransferTest}.
 */
final class BartoliPaperServerTest {
  private static final long ANN = 101;
  private static final long BOB = 102;

  private final HoldingsByHand shop = new HoldingsByHand();

  @Nested
  final class Section321GroupCommunication {
    @Test
    @DisplayName("3.2.1: all replicas get all updates in one order, in whatever order they came")
    void allGetAllInOneOrder() {
      List<RequestId> requests = new ArrayList<>();
      for (long i = 1; i <= 30; i++) {
        requests.add(shop.send(ANN + i % 3, List.of(), "put", "tea", i));
      }
      for (long replica : shop.group.living()) {
        Collections.rotate(requests, 10);
        requests.forEach(each -> shop.again(each, 0, List.of(replica)));
      }
      Map<?, ?> counts = shop.counts();
      long executed = shop.group.executed(1);
      long hash = shop.group.replica(1).status("").hash();
      assertThat(executed).isEqualTo(30);
      assertThat(counts).hasSize(1);
      assertThat(shop.group.living())
          .allMatch(id -> shop.group.replica(id).status("").hash() == hash);
    }

    @Test
    @DisplayName("3.2.1: what nobody else had got when its sender died, nobody gets")
    void whatNobodyHadGotNobodyGets() {
      shop.group.lose(are(HoldingsByHand::proposes));
      RequestId request = shop.send(ANN, List.of(shop.leader()), "add", "tea", 1L);
      shop.group.run(5);
      shop.group.kill(shop.leader());
      shop.group.heal();
      shop.group.run(LONG);
      assertThat(shop.counts()).isEmpty();
      shop.again(request, 1, shop.group.living());
      shop.group.run(LONG);
      assertThat(shop.answers(request)).isNotEmpty().containsOnly(1L);
    }

    @Test
    @DisplayName("3.2.1: what one had got when its sender died, all get, before the next leads")
    void whatOneHadGotAllGet() {
      shop.group.lose(once());
      shop.send(ANN, List.of(shop.leader()), "draw", "lot");
      shop.group.run(3);
      Object drawn = 1_000 * shop.leader() + 1;
      shop.group.kill(shop.leader());
      shop.group.heal();
      shop.group.run(LONG);
      assertThat(shop.counts()).isEqualTo(Map.of("lot", drawn));
    }

    /** The proposal reaches one replica only. */
    private Predicate<Message> once() {
      int[] proposals = new int[1];
      return are(said -> HoldingsByHand.proposes(said) && proposals[0]++ > 0);
    }

    @Test
    @DisplayName("3.2.1: of a group that parts, the side with the majority goes on")
    void theSideWithTheMajorityGoesOn() {
      long alone = shop.leader();
      shop.group.part(List.of(alone));
      shop.group.run(LONG);
      RequestId request = shop.send(ANN, List.of(shop.leader()), "add", "tea", 1L);
      shop.group.run(100);
      assertThat(shop.answers(request)).containsExactly(1L);
      shop.group.heal();
      assertThat(shop.counts()).isEqualTo(Map.of("tea", 1L));
      assertThat(shop.leader()).isNotEqualTo(alone);
    }

    @Test
    @DisplayName("3.2.1, note: on the side without it, replicas go on reading what they have")
    void theOtherSideGoesOnReading() {
      HoldingsByHand reading = HoldingsByHand.reading(Reads.STALE);
      reading.update(ANN, "add", "tea", 1L);
      reading.group.run(100);
      long alone = reading.followers().getFirst();
      reading.group.part(List.of(alone));
      reading.group.run(LONG);
      assertThat(reading.read(alone, "tea")).isEqualTo(1);
      RequestId update = reading.send(ANN, List.of(alone), "add", "tea", 1L);
      reading.group.run(LONG);
      assertThat(reading.answers(update)).isEmpty();
    }

    @Test
    @DisplayName("3.2.1: views change in one order with the updates: who enters has all before")
    void whoEntersHasAllBefore() {
      shop.update(ANN, "add", "tea", 1L);
      shop.group.replace(shop.followers().getFirst(), 4);
      shop.update(ANN, "add", "tea", 1L);
      shop.group.run(LONG);
      assertThat(shop.group.isActive(4)).isTrue();
      assertThat(shop.counts()).isEqualTo(Map.of("tea", 2L));
      assertThat(shop.group.living())
          .allMatch(id -> shop.group.replica(id).members().equals(membersOf(4)));
    }

    private List<Long> membersOf(long id) {
      return shop.group.replica(id).members();
    }
  }

  @Nested
  final class Section322And324Execution {
    @Test
    @DisplayName("3.2.2: a replica reads alone, if its client may be shown what is there")
    void aReplicaReadsAlone() {
      HoldingsByHand reading = HoldingsByHand.reading(Reads.SESSION);
      reading.group.takeSent();
      RequestId read = reading.ask(reading.followers().getFirst(), "tea", null);
      assertThat(reading.group.takeSent()).isEmpty();
      reading.group.run(1);
      assertThat(reading.answers(read)).containsExactly(0L);
    }

    @Test
    @DisplayName("3.2.2: who enters, and has no state yet, says that it is unable")
    void whoHasNoStateYetIsUnable() {
      shop.group.lose(are(said -> said instanceof LogMessage.Sync));
      shop.group.replace(shop.followers().getFirst(), 4);
      RequestId request = shop.send(ANN, List.of(), "add", "tea", 1L);
      shop.again(request, 2, List.of(4L));
      RequestId read = shop.ask(4, "tea", null);
      shop.group.run(100);
      assertThat(Stream.concat(shop.answers(request).stream(), shop.answers(read).stream()))
          .hasSize(2)
          .allMatch(Answer.Refused.class::isInstance);
    }

    @Test
    @DisplayName("3.2.4: it runs on a copy, which is dropped where the majority does not get it")
    void itRunsOnACopy() {
      long alone = shop.leader();
      shop.group.part(List.of(alone));
      RequestId request = shop.send(ANN, List.of(alone), "add", "tea", 1L);
      shop.group.run(1);
      assertThat(shop.runs(alone)).isEqualTo(1);
      assertThat(shop.counts(alone)).isEmpty();
      shop.group.run(LONG);
      shop.group.heal();
      assertThat(shop.counts()).isEmpty();
      shop.again(request, 1, shop.group.living());
      shop.group.run(LONG);
      assertThat(shop.answers(request)).isNotEmpty().containsOnly(1L);
    }

    @Test
    @DisplayName("3.2.4: instead all may execute the request, and the object does not travel")
    void allMayExecute() {
      HoldingsByHand all = HoldingsByHand.executingAll();
      all.update(ANN, "note", "text", "x".repeat(9_000));
      all.group.takeSent();
      assertThat(all.update(ANN, "add", "tea", 1L)).isEqualTo(1L);
      assertThat(proposed(all)).isNotEmpty().allMatch(each -> each instanceof SlotEntry.Called);
      all.group.run(100);
      assertThat(all.group.living()).allMatch(id -> all.runs(id) == 2);
    }

    /** That is the strong assumption; ours says which method breaks it, and mends the replica. */
    @Test
    @DisplayName("3.2.4: for which they have to be deterministic; ours: who is not is found out")
    void whoIsNotDeterministicIsFoundOut() {
      HoldingsByHand all = HoldingsByHand.executingAll();
      all.update(ANN, "draw", "lot");
      all.group.run(LONG);
      assertThat(all.group.told()).singleElement().asString().contains("draw");
      assertThat(all.counts()).isEqualTo(Map.of("lot", 1_000 * all.leader() + 1));
    }

    @Test
    @DisplayName("3.2.5: how busy a replica is rides on what it says anyway")
    void repliesSayHowBusyAReplicaIs() {
      long busy = shop.leader();
      shop.group.isBusy(busy, 7);
      RequestId request = shop.send(ANN, List.of(busy), "add", "tea", 1L);
      shop.group.run(100);
      assertThat(shop.group.replies(request))
          .filteredOn(reply -> reply.replica() == busy)
          .isNotEmpty()
          .allMatch(reply -> reply.load() == 7);
    }
  }

  private static List<SlotEntry> proposed(HoldingsByHand of) {
    return of.takeProposed().stream().flatMap(List::stream).toList();
  }

  @Nested
  final class Section41Operations {
    @Test
    @DisplayName("4.1: each operation is declared to read or to update")
    void anOperationReadsOrUpdates() {
      assertThat(ServiceInterface.of(Holdings.class).methods())
          .filteredOn(method -> !method.isUpdate())
          .extracting(ServiceMethod::name)
          .containsExactly("count");
    }

    @Test
    @DisplayName("4.1: an operation is atomic, and not each of its writes: one that fails has none")
    void whatFailsHalfWayWritesNothing() {
      shop.update(ANN, "add", "tea", 1L);
      RequestId move = shop.send(ANN, shop.group.living(), "move", "tea", "rum", 2L);
      shop.group.run(100);
      shop.again(move, 2, shop.group.living());
      shop.group.run(100);
      assertThat(shop.answers(move)).hasSizeGreaterThan(1).allMatch(Answer.Threw.class::isInstance);
      assertThat(shop.runs()).isEqualTo(2);
      assertThat(shop.counts()).isEqualTo(Map.of("tea", 1L));
    }

    @Test
    @DisplayName("4.1: one whose replica died runs again elsewhere, on nothing that it had written")
    void whoseReplicaDiedRunsAgainOnNothing() {
      shop.update(ANN, "add", "tea", 3L);
      shop.group.lose(are(HoldingsByHand::proposes));
      RequestId move = shop.send(ANN, List.of(shop.leader()), "move", "tea", "rum", 1L);
      shop.group.run(10);
      assertThat(shop.runs()).isEqualTo(2);
      shop.group.kill(shop.leader());
      shop.group.heal();
      shop.again(move, 1, shop.group.living());
      shop.group.run(LONG);
      assertThat(shop.counts()).isEqualTo(Map.of("tea", 2L, "rum", 1L));
      assertThat(shop.answers(move)).isNotEmpty().containsOnly(1L);
    }

    @Test
    @DisplayName("4.3: a counter for each client, which begins at nought, incremented and read")
    void eachClientHasACounter() {
      assertThat(shop.read(1, "of ann")).isEqualTo(0);
      assertThat(shop.update(ANN, "add", "of ann", 1L)).isEqualTo(1L);
      assertThat(shop.update(BOB, "add", "of bob", 1L)).isEqualTo(1L);
      assertThat(shop.update(ANN, "add", "of ann", 1L)).isEqualTo(2L);
      assertThat(shop.group.living()).allMatch(id -> shop.read(id, "of ann") == 2);
    }

    @Test
    @DisplayName("4.3, 5.2: what only reads skips all that updates take")
    void whatReadsIsNotMulticast() {
      shop.update(ANN, "add", "tea", 1L);
      shop.group.run(100);
      shop.group.takeSent();
      shop.group.living().forEach(id -> shop.read(id, "tea"));
      assertThat(proposed(shop)).isEmpty();
    }

    @Test
    @DisplayName("5.1: messages are small: the change travels, not the object")
    void theChangeTravelsAndNotTheObject() {
      shop.update(ANN, "note", "text", "x".repeat(90_000));
      shop.group.run(100);
      shop.group.takeSent();
      shop.update(ANN, "add", "tea", 1L);
      assertThat(proposed(shop)).isNotEmpty().allMatch(each -> each.sizeBytes() < 500);
    }
  }
}

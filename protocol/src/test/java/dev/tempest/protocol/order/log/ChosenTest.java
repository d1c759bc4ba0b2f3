package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.LogMessage.VotesBeyond;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What may have been chosen, by the votes of a majority. */
final class ChosenTest {
  private static final Group GROUP = LogSettings.usual(1, 5, Order.LINEARIZABLE).group();

  private final Log log = new Log();

  private static SlotEntry.Called update(long sequence) {
    return new SlotEntry.Called(
        new RequestId(7, sequence), 0, 0, new Call(1, Bytes.EMPTY), sequence);
  }

  private static List<SlotEntry.Called> updates(long... sequences) {
    List<SlotEntry.Called> all = new ArrayList<>();
    for (long sequence : sequences) {
      all.add(update(sequence));
    }
    return all;
  }

  /** Votes of one whose log is as long as this one is now. */
  private VotesBeyond votes(long... sequences) {
    return new VotesBeyond(log.length(), log.hash(), updates(sequences));
  }

  @Test
  void ofFiveTwoOfThreeAreNeeded() {
    assertThat(Chosen.needed(GROUP, 3, 5)).isEqualTo(2);
    assertThat(Chosen.needed(GROUP, 5, 5)).isEqualTo(4);
    assertThat(Chosen.needed(GROUP, 2, 3)).isEqualTo(2);
  }

  @Test
  void whatEnoughHaveVotedForIsTaken() {
    List<VotesBeyond> votes = List.of(votes(1, 2, 3), votes(1, 2, 4), votes(5));
    assertThat(Chosen.of(log, votes, 2)).isEqualTo(updates(1, 2));
    assertThat(Chosen.of(log, votes, 3)).isEmpty();
  }

  @Test
  void whatTheLogHasAlreadyIsLeftOut() {
    List<VotesBeyond> votes = List.of(votes(1, 2, 3), votes(1, 2, 3));
    updates(1, 2).forEach(log::add);
    assertThat(Chosen.of(log, votes, 2)).isEqualTo(updates(3));
  }

  /** The log has the third one before: it would be there twice. */
  @Test
  void votesAfterAnotherLogDoNotCount() {
    List<VotesBeyond> votes = List.of(votes(1, 2, 3), votes(1, 2, 3));
    updates(3, 1).forEach(log::add);
    assertThat(Chosen.of(log, votes, 2)).isEmpty();
  }

  @Test
  void whatWasDroppedIsCompared() {
    List<VotesBeyond> same = List.of(votes(1, 2, 3), votes(1, 2, 3));
    List<VotesBeyond> others = List.of(votes(4, 2, 3), votes(4, 2, 3));
    updates(1, 2).forEach(log::add);
    log.commit(2);
    log.dropBelow(2);
    assertThat(Chosen.of(log, same, 2)).isEqualTo(updates(3));
    assertThat(Chosen.of(log, others, 2)).isEmpty();
    Log restarted = new Log();
    restarted.restart(new LogPoint(2, List.of(1L), 0, 2, log.hash()));
    assertThat(Chosen.of(restarted, same, 2)).isEqualTo(updates(3));
  }

  /** Whatever the others have voted for, and whichever majority is asked. */
  @Test
  void whatAFastQuorumHasChosenIsTakenAlways() {
    Random random = new Random(5);
    for (int round = 0; round < 10_000; round++) {
      int members = 1 + random.nextInt(9);
      List<VotesBeyond> all = new ArrayList<>();
      for (int member = 0; member < members; member++) {
        boolean chooses = member < GROUP.quorum().voting(members);
        long more = random.nextInt(4);
        all.add(chooses ? votes(1, 2, 3 + more) : votes(1 + random.nextInt(2), 3 + more));
      }
      Collections.shuffle(all, random);
      int asked = GROUP.quorum().accepting(members);
      int heard = asked + random.nextInt(members - asked + 1);
      List<SlotEntry.Called> taken =
          Chosen.of(log, all.subList(0, heard), Chosen.needed(GROUP, heard, members));
      assertThat(taken).startsWith(update(1), update(2));
    }
  }
}

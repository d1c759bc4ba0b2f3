package dev.tempest.protocol.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Answer;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Against a {@link TreeMap}; {@code -Dseed=17} draws other changes. */
final class LatestAnswersTest {
  private final long seed = Long.getLong("seed", 1);

  @Test
  void areWhatATreeMapIsAndWhatTheyWereBefore() {
    SplittableRandom random = new SplittableRandom(seed);
    LatestAnswers answers = new LatestAnswers();
    TreeMap<Long, Answer> model = new TreeMap<>();
    for (int round = 0; round < 5_000; round++) {
      long sequence = 1L + round / 10 + random.nextInt(12);
      Answer answer = new Answer.Threw("round", "" + round);
      switch (random.nextInt(10)) {
        case 0 -> {
          answers.dropBelow(sequence - 10);
          model.headMap(sequence - 10).clear();
        }
        case 1 -> {
          if (!model.isEmpty()) {
            answers.dropFirst();
            model.pollFirstEntry();
          }
        }
        case 2 -> {
          LatestAnswers before = answers;
          answers = answers.copy();
          before.put(sequence, answer);
        }
        default -> {
          answers.put(sequence, answer);
          model.put(sequence, answer);
        }
      }
      assertThat(answers.size()).as("seed %d", seed).isEqualTo(model.size());
      assertThat(answers.get(sequence)).isEqualTo(model.get(sequence));
      int index = 0;
      for (var each : model.entrySet()) {
        assertThat(answers.sequence(index)).isEqualTo(each.getKey());
        assertThat(answers.answer(index++)).isEqualTo(each.getValue());
      }
    }
  }
}

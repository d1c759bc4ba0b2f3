package dev.tempest.protocol.order;

import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.ClientRecord;
import dev.tempest.wire.Message.RecordedAnswer;
import java.util.ArrayList;
import java.util.List;

/**
 * What is remembered of a client. Immutable.
 *
 * @param applied its updates that count for good; nobody changes it any more
 * @param latest when the latest of them counts
 * @param since all of them that count from here on are in {@code applied}
 * @param answeredBelow it has the answers to its updates with lower sequences
 * @param answers by the sequence of its update; nobody changes them any more
 */
record Client(
    long id,
    IntervalSet applied,
    long latest,
    long since,
    long answeredBelow,
    LatestAnswers answers) {
  /** What it takes in memory without intervals and answers, about. */
  private static final int BASE_BYTES = 256;

  private static final int INTERVAL_BYTES = 2 * Long.BYTES;

  static Client of(ClientRecord record) {
    LatestAnswers answers = new LatestAnswers();
    record.results().forEach(result -> answers.put(result.sequence(), result.answer()));
    return new Client(
        record.client(),
        record.applied().copy(),
        record.latest(),
        record.since(),
        record.answeredBelow(),
        answers);
  }

  ClientRecord record() {
    List<RecordedAnswer> recorded = new ArrayList<>(answers.size());
    for (int i = 0; i < answers.size(); i++) {
      recorded.add(new RecordedAnswer(answers.sequence(i), answers.answer(i)));
    }
    return new ClientRecord(id, applied.copy(), latest, since, answeredBelow, recorded);
  }

  long sizeBytes() {
    return BASE_BYTES + (long) INTERVAL_BYTES * applied.intervals() + answers.sizeBytes();
  }
}

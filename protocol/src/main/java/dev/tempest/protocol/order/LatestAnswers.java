package dev.tempest.protocol.order;

import dev.tempest.wire.Answer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The answers to a client's latest updates by their sequences, ascending; mostly few, and mostly
 * added at the end and dropped at the beginning.
 */
final class LatestAnswers {
  private static final long[] NO_SEQUENCES = {};
  private static final Answer[] NO_ANSWERS = {};

  /** What an answer takes in memory beside its contents, about. */
  private static final int BASE_BYTES = 64;

  private long[] sequences;
  private Answer[] answers;
  private int first;
  private int end;

  /** What they take in memory, about. */
  private long sizeBytes;

  /** None. */
  LatestAnswers() {
    this(NO_SEQUENCES, NO_ANSWERS);
  }

  private LatestAnswers(long[] sequences, Answer[] answers) {
    this.sequences = sequences;
    this.answers = answers;
    this.end = sequences.length;
  }

  LatestAnswers copy() {
    LatestAnswers copy =
        new LatestAnswers(
            Arrays.copyOfRange(sequences, first, end), Arrays.copyOfRange(answers, first, end));
    copy.sizeBytes = sizeBytes;
    return copy;
  }

  int size() {
    return end - first;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  private static int sizeBytes(Answer answer) {
    return BASE_BYTES + answer.sizeBytes();
  }

  /** The sequence of an answer, counted from 0. */
  long sequence(int index) {
    return sequences[first + index];
  }

  /** An answer, counted from 0. */
  Answer answer(int index) {
    return answers[first + index];
  }

  @Nullable Answer get(long sequence) {
    int at = Arrays.binarySearch(sequences, first, end, sequence);
    return at < 0 ? null : answers[at];
  }

  void put(long sequence, Answer answer) {
    int found = Arrays.binarySearch(sequences, first, end, sequence);
    sizeBytes += sizeBytes(answer);
    if (found >= 0) {
      sizeBytes -= sizeBytes(answers[found]);
      answers[found] = answer;
      return;
    }
    int at = -found - 1;
    if (end == sequences.length) {
      int size = end - first;
      int room = size + Math.max(2, size / 2);
      sequences = Arrays.copyOf(Arrays.copyOfRange(sequences, first, end), room);
      answers = Arrays.copyOf(Arrays.copyOfRange(answers, first, end), room);
      at -= first;
      first = 0;
      end = size;
    }
    System.arraycopy(sequences, at, sequences, at + 1, end - at);
    System.arraycopy(answers, at, answers, at + 1, end - at);
    sequences[at] = sequence;
    answers[at] = answer;
    end++;
  }

  void dropBelow(long sequence) {
    while (first < end && sequences[first] < sequence) {
      dropFirst();
    }
  }

  void dropFirst() {
    sizeBytes -= sizeBytes(answers[first++]);
  }
}

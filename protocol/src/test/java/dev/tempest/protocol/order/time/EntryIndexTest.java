package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.RequestId;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class EntryIndexTest {
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("seeds", 20));
  }

  /** Grows and shrinks by turns, so that slots are reused, joined and moved. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void findsWhatAMapFinds(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EntryIndex index = new EntryIndex();
    TreeMap<RequestId, LogEntry> model = new TreeMap<>();
    for (int step = 0; step < 5_000; step++) {
      RequestId id = new RequestId(random.nextInt(3), 1 + random.nextInt(300));
      boolean grows = step / 500 % 2 == 0;
      if (random.nextInt(10) < (grows ? 7 : 2)) {
        LogEntry entry = entry(id, step);
        index.put(entry);
        model.put(id, entry);
      } else {
        index.remove(id);
        model.remove(id);
      }
      RequestId other = new RequestId(random.nextInt(3), 1 + random.nextInt(300));
      assertThat(index.get(other)).isSameAs(model.get(other));
      assertThat(index.size()).isEqualTo(model.size());
      assertThat(index.ids().contains(other)).isEqualTo(model.containsKey(other));
    }
    model.forEach((id, entry) -> assertThat(index.get(id)).isSameAs(entry));
    index.checkInvariants();
  }

  @Test
  void losesAllThatIsInAnEpochAndNothingElse() {
    EntryIndex index = new EntryIndex();
    Epoch epoch = new Epoch(1);
    for (long sequence = 1; sequence <= 100; sequence++) {
      LogEntry entry = entry(new RequestId(sequence % 2, sequence), sequence);
      index.put(entry);
      if (sequence <= 97) {
        epoch.insert(entry);
      }
    }
    long eachBytes = index.sizeBytes() / 100;
    index.remove(epoch);

    assertThat(index.size()).isEqualTo(3);
    assertThat(index.sizeBytes()).isEqualTo(3 * eachBytes);
    for (long sequence = 1; sequence <= 100; sequence++) {
      RequestId id = new RequestId(sequence % 2, sequence);
      assertThat(index.ids().contains(id)).isEqualTo(sequence > 97);
    }
    assertThat(index.ids().clients()).isEqualTo(2);
    index.checkInvariants();
  }

  @Test
  void countsWhatTakesThePlaceOfAnotherOnce() {
    EntryIndex index = new EntryIndex();
    LogEntry entry = entry(new RequestId(1, 1), 2);
    index.put(entry);
    index.put(entry(new RequestId(1, 1), 1));

    assertThat(index.size()).isOne();
    assertThat(index.sizeBytes()).isEqualTo(entry.sizeBytes());
  }

  private static LogEntry entry(RequestId id, long stamp) {
    return new LogEntry(new Entry(id, stamp, new Change(Bytes.EMPTY)));
  }
}

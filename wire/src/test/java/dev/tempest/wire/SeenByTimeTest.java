package dev.tempest.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.SeenByTime.OfClient;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SeenByTimeTest {
  private static final int CLIENT = 7;

  @Test
  void twoThatFitTogetherCanBeWritten() {
    Seen both =
        everyFourth(0, SeenByTime.INTERVALS_MAX / 2)
            .max(everyFourth(2, SeenByTime.INTERVALS_MAX / 2));
    ByteWriter writer = new ByteWriter(1 << 20);
    SeenCodec.write(writer, both);
    byte[] bytes = writer.toBytes().toArray();
    assertThat(SeenCodec.read(new ByteReader(bytes, 0, bytes.length))).isEqualTo(both);
  }

  @Test
  void twoThatDoNotFitTogetherAreRefusedBeforeTheyAreWritten() {
    SeenByTime one = everyFourth(0, SeenByTime.INTERVALS_MAX / 2);
    SeenByTime other = everyFourth(2, SeenByTime.INTERVALS_MAX / 2 + 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> one.max(other))
        .withMessage("1025 intervals of one client: at most 1024 fit");
  }

  private static SeenByTime everyFourth(int first, int count) {
    IntervalSet sequences = new IntervalSet();
    for (int i = 0; i < count; i++) {
      sequences.add(first + 4L * i + 1);
    }
    return new SeenByTime(
        SeenByTime.NOTHING.settled(), 1, List.of(new OfClient(CLIENT, 1, sequences)));
  }
}

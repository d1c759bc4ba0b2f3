package dev.tempest.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.ByteReader;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What processes of different releases understand of each other. */
final class VersionsTest {
  private static final int VERSION_AT = 2;
  private static final int MORE_AT = 3;
  private static final Frame EMPTY = new Frame(5, 6, List.of());
  private static final Frame QUESTION = new Frame(5, 6, List.of(new Message.StatusRequest(7)));

  @Test
  void whoeverSpeaksLaterVersionsTooIsUnderstood() {
    byte[] bytes = Frames.write(QUESTION);
    bytes[MORE_AT] = 2;

    assertThat(Frames.read(Frames.withChecksum(bytes))).isEqualTo(QUESTION);
    assertThat(readForeign(bytes)).isNull();
  }

  @Test
  void theHeaderIsReadInAnyVersion() {
    for (int version = 0; version < 256; version++) {
      for (int more : new int[] {0, 3}) {
        ForeignFrame empty = readForeign(inVersion(version, more, EMPTY));
        if (version == FrameCodec.VERSION) {
          assertThat(empty).isNull();
        } else {
          Versions spoken = new Versions(version, version + more);
          assertThat(empty).isEqualTo(new ForeignFrame(5, spoken, true));
          assertThat(readForeign(inVersion(version, more, QUESTION)))
              .isEqualTo(new ForeignFrame(5, spoken, false));
        }
      }
    }
  }

  @Test
  void whatIsDamagedOrNoFrameTellsNothing() {
    byte[] foreign = inVersion(3, 0, QUESTION);
    for (int bit = 0; bit < 8 * foreign.length; bit++) {
      byte[] damaged = foreign.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(readForeign(damaged)).isNull();
    }
    byte[] cut = Arrays.copyOf(foreign, FrameCodec.HEADER_BYTES - 1);
    assertThat(readForeign(Frames.withChecksum(cut))).isNull();
    assertThat(readForeign(new byte[0])).isNull();
    foreign[0] = 'G';
    assertThat(readForeign(Frames.withChecksum(foreign))).isNull();
  }

  @Test
  void versionsMeetWhereBothSpeakOne() {
    Versions twoToFour = new Versions(2, 4);
    assertThat(twoToFour.meets(new Versions(4, 5))).isTrue();
    assertThat(twoToFour.meets(new Versions(1, 2))).isTrue();
    assertThat(twoToFour.meets(new Versions(3, 3))).isTrue();
    assertThat(twoToFour.meets(new Versions(5, 6))).isFalse();
    assertThat(twoToFour.meets(new Versions(1, 1))).isFalse();
  }

  private static byte[] inVersion(int version, int more, Frame frame) {
    byte[] bytes = Frames.write(frame);
    bytes[VERSION_AT] = (byte) version;
    bytes[MORE_AT] = (byte) more;
    return Frames.withChecksum(bytes);
  }

  private static @Nullable ForeignFrame readForeign(byte[] bytes) {
    return FrameCodec.readForeign(new ByteReader(bytes, 0, bytes.length));
  }
}

package dev.tempest.simulator;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Frames as they arrive, some of them damaged on their way, which must be noticed. */
final class Frames {
  private static final int FLIPS_MAX = 3;

  private Frames() {}

  /** A copy with a few bits flipped, close to each other. */
  static byte[] damaged(byte[] frame, Randomness random) {
    byte[] bytes = frame.clone();
    int flips = random.between(1, FLIPS_MAX);
    int bit = random.below(bytes.length * Byte.SIZE);
    for (int i = 0; i < flips; i++) {
      bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      bit = (bit + random.between(1, Byte.SIZE)) % (bytes.length * Byte.SIZE);
    }
    return bytes;
  }

  /**
   * What such a frame says.
   *
   * @return nothing if it was damaged
   */
  static List<Message> read(byte[] frame, boolean damaged) {
    List<Message> messages;
    try {
      messages = FrameCodec.read(new ByteReader(frame, 0, frame.length)).messages();
    } catch (MalformedException refused) {
      if (!damaged) {
        throw found("a frame that nobody damaged was refused: " + refused.getMessage(), refused);
      }
      return List.of();
    } catch (RuntimeException wrong) {
      throw found("a frame was refused with " + wrong, wrong);
    }
    if (damaged) {
      throw found("a damaged frame was taken for a good one: " + messages, null);
    }
    return messages;
  }

  private static Violation.Found found(String sentence, @Nullable Throwable cause) {
    return new Violation.Found(Violation.Kind.DAMAGE_UNNOTICED, sentence, cause);
  }
}

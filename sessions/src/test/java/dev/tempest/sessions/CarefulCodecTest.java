package dev.tempest.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Whatever a codec of an application does wrong counts as refused, or as unreadable. */
final class CarefulCodecTest {
  /** Answers nothing, as a codec that was never checked may. */
  private static final class Silent implements AttributeCodec {
    @Override
    @SuppressWarnings("NullAway") // That is the point.
    public byte[] encode(Object value) {
      return null;
    }

    @Override
    @SuppressWarnings("NullAway")
    public Object decode(byte[] bytes) {
      return null;
    }
  }

  /** Throws what its methods do not declare, as other languages on the JVM do. */
  private static final class Interrupted implements AttributeCodec {
    @Override
    public byte[] encode(Object value) {
      throw Interrupted.<RuntimeException>unchecked();
    }

    @Override
    public Object decode(byte[] bytes) {
      throw Interrupted.<RuntimeException>unchecked();
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> RuntimeException unchecked() throws T {
      throw (T) new InterruptedException("as asked for");
    }
  }

  private static void assertRefusesAndCannotRead(AttributeCodec ofApplication) {
    AttributeCodec codec = new CarefulCodec(ofApplication);
    assertThatThrownBy(() -> codec.encode("alice")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> codec.decode(new byte[1]))
        .isInstanceOf(UnreadableAttributeException.class);
  }

  @Test
  void nothingIsNoValueAndNoBytes() {
    assertRefusesAndCannotRead(new Silent());
  }

  @Test
  void aThreadThatIsToStopKnowsItAfterwards() {
    assertRefusesAndCannotRead(new Interrupted());
    assertThat(Thread.interrupted()).isTrue();
  }
}

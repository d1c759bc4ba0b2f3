package dev.tempest.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What goes in comes out, and what is no value is refused. */
final class JavaSerializationTest {
  private final AttributeCodec codec =
      AttributeCodec.javaSerialization(JavaSerializationTest.class.getClassLoader());

  @Test
  void whatGoesInComesOut() throws UnreadableAttributeException {
    List<Object> values =
        List.of(
            "",
            "alice",
            "é𝄞\uD834",
            "\uDD1E\uD834",
            0,
            -1,
            Integer.MAX_VALUE,
            Long.MIN_VALUE,
            true,
            false,
            1.5,
            'c',
            (short) 3,
            List.of("a", 1),
            Thread.State.NEW);
    for (Object value : values) {
      assertThat(codec.decode(codec.encode(value))).isEqualTo(value).hasSameClassAs(value);
    }
    assertThat(codec.encode("alice")).hasSize(6);
  }

  @Test
  void bytesThatAreNoValueAreRefused() {
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[random.nextInt(20)];
      random.nextBytes(bytes);
      if (bytes.length > 0 && bytes[0] <= 5 && bytes[0] > 0) {
        bytes[0] = (byte) (2 + random.nextInt(4));
        bytes = java.util.Arrays.copyOf(bytes, 11);
      }
      byte[] bad = bytes;
      assertThatThrownBy(() -> codec.decode(bad)).isInstanceOf(UnreadableAttributeException.class);
    }
  }

  @Test
  void aProxyComesBackAsOne() throws UnreadableAttributeException {
    Object proxy =
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Supplier.class}, new Answers());
    Object read = codec.decode(codec.encode(proxy));
    assertThat(((Supplier<?>) read).get()).isEqualTo("answer");
  }

  private record Answers() implements java.lang.reflect.InvocationHandler, java.io.Serializable {
    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return "answer";
    }
  }
}

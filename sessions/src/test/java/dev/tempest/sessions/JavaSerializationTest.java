package dev.tempest.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ObjectOutputStream;
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

  private static class Plain {}

  @Test
  void whatIsNotSerializableIsNamedOnceWithWhatToDo() {
    String plain = Plain.class.getName();
    assertThatThrownBy(() -> codec.encode(new Plain()))
        .hasMessage(
            "%s cannot be kept in a session: it does not implement java.io.Serializable. Let it do"
                    .formatted(plain)
                + " so, or choose another codec");
    assertThatThrownBy(() -> codec.encode(new Object[] {new Plain()}))
        .hasMessageContaining(
            "[Ljava.lang.Object; cannot be kept in a session: %s does not implement"
                .formatted(plain));
  }

  private static final class Speechless extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("not even this");
    }
  }

  private static final class Failing implements java.io.Serializable {
    private static final long serialVersionUID = 1;
    private final transient Throwable failure;

    Failing(Throwable failure) {
      this.failure = failure;
    }

    private void writeObject(ObjectOutputStream out) {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    }
  }

  @Test
  void whateverAValueThrowsIsSaidAndWhatTheMachineThrowsGoesOn() {
    assertThatThrownBy(() -> codec.encode(new Failing(new Speechless())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Failing cannot be kept in a session")
        .hasMessageContaining("Speechless, which cannot say why");
    assertThatThrownBy(() -> codec.encode(new Failing(new AssertionError("failed"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.AssertionError: failed");
    assertThatThrownBy(() -> codec.encode(new Failing(new StackOverflowError())))
        .isInstanceOf(IllegalArgumentException.class);
    Error ofMachine = new OutOfMemoryError();
    assertThatThrownBy(() -> codec.encode(new Failing(ofMachine))).isSameAs(ofMachine);
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

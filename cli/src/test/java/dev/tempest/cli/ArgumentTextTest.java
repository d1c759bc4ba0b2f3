package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.admin.MethodDescription;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ArgumentTextTest {
  @Test
  void convertsByDeclaredTypes() {
    MethodDescription method =
        method("java.lang.String", "int", "java.lang.Long", "boolean", "char", "double", "[B");

    assertThat(ArgumentText.parse(method, List.of("7", "8", "-9", "true", "x", "1.5", "00ff")))
        .containsExactly("7", 8, -9L, true, 'x', 1.5, new byte[] {0, (byte) 0xff});
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          int               | three      | argument 1, 'three', is not a valid int (a whole number from -2147483648 to 2147483647)
          int               | 2147483648 | is not a valid int
          java.lang.Boolean | yes        | is not a valid Boolean (true or false)
          char              | xy         | is not a valid char (one character)
          double            | 1,5        | argument 1, '1,5', is not a valid double
          com.example.Order | {}         | argument 1 is of the type Order, which cannot be written on a command line
          """)
  void saysWhatWasExpected(String type, String text, String message) {
    assertThatThrownBy(() -> ArgumentText.parse(method(type), List.of(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void bytesAreHexDigitsInPairs() {
    assertThatThrownBy(() -> ArgumentText.parse(method("[B"), List.of("abc")))
        .hasMessageContaining("argument 1, 'abc', is not a valid byte[]");
    assertThat(ArgumentText.print(new byte[] {1, (byte) 0xab})).isEqualTo("01ab");
  }

  @Test
  void countsTheArguments() {
    assertThatThrownBy(() -> ArgumentText.parse(method("int"), List.of()))
        .hasMessageContaining("add takes 1 argument, not 0");
    assertThatThrownBy(() -> ArgumentText.parse(method("int", "int"), List.of("1", "2", "3")))
        .hasMessageContaining("add takes 2 arguments, not 3");
  }

  @Test
  void aSignatureReadsAsInJava() {
    assertThat(ArgumentText.signature(method("java.lang.String", "[B", "int")))
        .isEqualTo("int add(String, byte[], int)");
    assertThat(ArgumentText.signature(method("java.util.Map<java.lang.String, a.b1.Stock$Line>")))
        .isEqualTo("int add(Map<String, Stock.Line>)");
  }

  private static MethodDescription method(String... parameters) {
    return new MethodDescription(1, "add", true, List.of(parameters), "int");
  }
}

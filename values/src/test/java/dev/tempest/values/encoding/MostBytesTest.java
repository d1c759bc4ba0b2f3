package dev.tempest.values.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.values.TooLargeException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How large a value may be, found out without writing it: never too little. */
final class MostBytesTest {
  private static final ValueType<Object> ANY = Samples.TYPE;

  /** Takes three bytes. */
  private static final String WIDE = "\u20ac";

  /** A text of which so many are no longer small. */
  private static final String THOUSAND = "x".repeat(1_000);

  @Test
  void nothingTakesMore() {
    AnyEncoding cases = AnyEncoding.ofAll(false);
    Resolver resolver = new Resolver();
    for (Class<?> each :
        List.of(
            Samples.Item.class,
            TimeUnit.class,
            Samples.Arrays.class,
            Samples.Circle.class,
            Samples.Square.class,
            Samples.Pairs.class)) {
      resolver.resolve(each, each.getSimpleName());
    }
    cases.declare(resolver.named());
    Seeds.check(
        5_000,
        random -> {
          Object value = Samples.value(random, 3);
          ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
          cases.writeContents(value, writer, 0);
          assertThat(cases.mostBytes(value, 0))
              .isBetween((long) writer.size(), Encoding.LARGE_BYTES - 1);
          assertThat(ANY.mostBytes(value)).isLessThan(ValueType.LARGE_BYTES);
        });
  }

  @Test
  void whatMayBeLargeIsNotSmall() {
    List<String> many = Collections.nCopies(5_000, THOUSAND);
    for (Object large :
        List.of(
            WIDE.repeat(2 << 20),
            new byte[4 << 20],
            new long[1 << 19],
            BigInteger.ONE.shiftLeft(1 << 26),
            many,
            Optional.of(many),
            List.of(many),
            Map.of(1, many),
            Map.of(many, 1),
            Set.of(many),
            many.toArray(String[]::new),
            new Samples.Item("", Optional.empty(), many, Set.of(), Map.of(), null, null))) {
      assertThat(ANY.mostBytes(large))
          .as(large.getClass().getName())
          .isEqualTo(ValueType.LARGE_BYTES);
    }
    assertThat(ANY.mostBytes(many.subList(0, 1_000))).isLessThan(ValueType.LARGE_BYTES);
  }

  /** Without an end, it would take one. */
  @Test
  void whatIsNestedTooDeepIsNotSmall() {
    List<Object> endless = new ArrayList<>();
    endless.add(endless);
    assertThat(ANY.mostBytes(endless)).isEqualTo(ValueType.LARGE_BYTES);
    assertThatThrownBy(() -> ANY.write(endless, new ByteWriter(100)))
        .isInstanceOf(TooLargeException.class);
  }

  /** Who asks need not write it to know that it can be written. */
  @Test
  void whatCannotBeWrittenIsRefused() {
    for (Object wrong :
        List.of(Arrays.asList(1, null), List.of(new Object()), Optional.of(new StringBuilder()))) {
      Class<?> refusal = refusal(() -> ANY.write(wrong, new ByteWriter(100))).getClass();
      assertThatThrownBy(() -> ANY.mostBytes(wrong)).isInstanceOf(refusal);
    }
  }

  private static RuntimeException refusal(Runnable refused) {
    try {
      refused.run();
    } catch (RuntimeException expected) {
      return expected;
    }
    throw new AssertionError("not refused");
  }
}

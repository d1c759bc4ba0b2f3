package dev.tempest.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.Update;
import dev.tempest.values.encoding.Bytes;
import org.junit.jupiter.api.Test;

/** Constructors of arguments are code of users. */
class RefusedArgumentsTest {
  /** An argument that its own class refuses, in its own way. */
  record Picky(int value) {
    private static Runnable refusal = () -> {};

    Picky {
      refusal.run();
    }

    static void refuse() {
      throw new Error("of a user");
    }

    static void askForTooMuch() {
      throw new AssertionError(new int[Integer.MAX_VALUE].length + " were there");
    }
  }

  /** Takes such an argument. */
  interface Tasting {
    /** Returns it. */
    @Update
    Picky taste(Picky value);
  }

  @Test
  void whateverTheConstructorOfAnArgumentThrowsIsTheOutcomeOfTheCall() {
    tasteRefused(Picky::refuse, "java.lang.Error: of a user");
    tasteRefused(Picky::askForTooMuch, "java.lang.OutOfMemoryError: Requested array size");
  }

  private static void tasteRefused(Runnable refusal, String why) {
    ServiceInstance tasting = ServiceInstance.of(Tasting.class, state -> value -> value);
    ServiceMethod taste = tasting.description().methods().getFirst();
    Bytes arguments = taste.encode(new Object[] {new Picky(1)});
    Picky.refusal = refusal;
    try {
      assertThat(tasting.update(tasting.emptyVersion(), taste.number(), arguments, 0, 0).result())
          .isInstanceOf(Result.BadArguments.class)
          .asString()
          .contains("refuses its components: " + why);
    } finally {
      Picky.refusal = () -> {};
    }
  }
}

package dev.tempest.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.Update;
import dev.tempest.values.encoding.Bytes;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

  /** Takes a byte if it has nothing. */
  record Wide(
      @Nullable String a,
      @Nullable String b,
      @Nullable String c,
      @Nullable String d,
      @Nullable String e,
      @Nullable String f,
      @Nullable String g,
      @Nullable String h,
      @Nullable String i,
      @Nullable String j,
      @Nullable String k,
      @Nullable String l,
      @Nullable String m,
      @Nullable String n,
      @Nullable String o,
      @Nullable String p,
      @Nullable String q,
      @Nullable String r,
      @Nullable String s,
      @Nullable String t) {}

  /** Takes many at once. */
  interface Gluttony {
    /** Counts them. */
    @Update
    int eat(List<Wide> all);
  }

  /** In a few MB there are enough of them for any heap. */
  @Test
  void argumentsThatTakeMoreMemoryThanTheyMayAreRefused() {
    ServiceInstance gluttony = ServiceInstance.of(Gluttony.class, state -> List::size);
    ServiceMethod eat = gluttony.description().methods().getFirst();
    int tooMany = 1_000_000;
    Wide nothing =
        new Wide(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null, null, null, null, null);
    Bytes arguments = eat.encode(new Object[] {Collections.nCopies(tooMany, nothing)});
    assertThat(gluttony.update(gluttony.emptyVersion(), eat.number(), arguments, 0, 0).result())
        .isInstanceOf(Result.BadArguments.class)
        .asString()
        .contains("they take more memory than they may");
    Bytes few = eat.encode(new Object[] {Collections.nCopies(1_000, nothing)});
    assertThat(gluttony.update(gluttony.emptyVersion(), eat.number(), few, 0, 0).result())
        .isInstanceOf(Result.Returned.class);
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

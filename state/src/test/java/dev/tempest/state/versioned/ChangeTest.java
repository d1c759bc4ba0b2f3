package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.Bytes;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChangeTest {
  private final Shop shop = new Shop();
  private final Version empty = shop.state.emptyVersion();

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void appliedToTheVersionBeforeItGivesTheVersionAfter(long seed) {
    Random random = new Random(seed);
    Version version = empty;
    for (int step = 0; step < 20; step++) {
      shop.begin(version);
      shop.write(random, random.nextInt(20));
      Change change = shop.action.change();
      Version after = shop.action.commit();
      assertThat(change.applyTo(version)).isEqualTo(after);

      Bytes bytes = shop.bytes(change);
      ByteReader reader = bytes.reader();
      Change read = shop.state.readChange(reader);
      reader.expectEnd();
      assertThat(read).isEqualTo(change).hasSameHashCodeAs(change);
      assertThat(shop.bytes(read)).isEqualTo(bytes);
      assertThat(read.applyTo(version)).isEqualTo(after);
      assertThat(change.applyTo(after).equals(after)).isEqualTo(incrementsNothing(change));
      version = after;
    }
  }

  @Test
  void changesOfDifferentKeysAddUpInAnyOrder() {
    Change one = change(() -> shop.tags.add(1), () -> shop.orders.add(5));
    Change two = change(() -> shop.tags.add(2), () -> shop.orders.add(-2));

    Version there = two.applyTo(one.applyTo(empty));
    assertThat(one.applyTo(two.applyTo(empty))).isEqualTo(there);
    assertThat(shop.state.contents(there)).containsEntry("orders", 3L);
  }

  @Test
  void theLastWriteToAKeyCounts() {
    Change change =
        change(() -> shop.tags.add(1), () -> shop.tags.remove(1), () -> shop.tags.add(2));
    assertThat(change).isEqualTo(change(() -> shop.tags.add(2), () -> shop.tags.remove(1)));
  }

  @Test
  void aPutOfWhatIsThereAlreadyIsPartOfIt() {
    Version one = change(() -> shop.tags.add(1)).applyTo(empty);
    shop.begin(one);
    shop.tags.add(1);
    Change again = shop.action.change();
    assertThat(shop.action.commit()).isSameAs(one);

    assertThat(again.isEmpty()).isFalse();
    assertThat(again.applyTo(empty)).isEqualTo(one);
    assertThat(again.applyTo(one)).isSameAs(one);
  }

  @Test
  void anActionThatWritesNothingHasAnEmptyChange() {
    Change change = change(() -> shop.orders.add(3), () -> shop.orders.add(-3));
    assertThat(change.isEmpty()).isTrue();
    assertThat(change.applyTo(empty)).isSameAs(empty);
  }

  @Test
  void laterWritesDoNotChangeIt() {
    shop.begin(empty);
    shop.tags.add(1);
    Change early = shop.action.change();
    shop.tags.add(2);
    shop.action.commit();
    assertThat(early).isEqualTo(change(() -> shop.tags.add(1)));
  }

  @Test
  void refusesTheVersionOfAnotherState() {
    Change change = change(() -> shop.tags.add(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> change.applyTo(new Shop().state.emptyVersion()));
  }

  private Change change(Runnable... writes) {
    shop.begin(empty);
    for (Runnable write : writes) {
      write.run();
    }
    shop.action.abort();
    return shop.action.change();
  }

  private boolean incrementsNothing(Change change) {
    return Long.valueOf(0).equals(shop.state.contents(change.applyTo(empty)).get("orders"));
  }
}

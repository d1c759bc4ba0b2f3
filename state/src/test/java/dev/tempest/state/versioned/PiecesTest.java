package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.state.Counter;
import dev.tempest.state.TimedMap;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PiecesTest {
  static LongStream seeds() {
    return Seeds.of(300);
  }

  /** Collections in all orders, with keys whose hashes collide. */
  private static final class Store {
    final VersionedState state = new VersionedState();
    final Counter orders = state.counter("orders");
    final Counter returns = state.counter("returns");
    final java.util.concurrent.ConcurrentMap<String, Long> colliding =
        TypedCollections.map(
            state,
            "colliding",
            new BadHash(key -> key.hashCode() & 0xC0000003),
            dev.tempest.values.encoding.ValueType.of(Long.class));
    final TimedMap<String, Long> stock = state.map("stock", String.class, Long.class);
    final ConcurrentNavigableMap<Integer, String> prices =
        state.sortedMap("prices", Integer.class, String.class);
    final NavigableSet<String> names = state.sortedSet("names", String.class);
    final List<String> lines = state.list("lines", String.class);
    final dev.tempest.state.Value<String> title = state.value("title", String.class);
    VersionedAction action = state.begin(state.emptyVersion(), 0, 0);

    Store() {
      action.abort();
    }

    Version random(Version before, Random random, int writes) {
      action = state.begin(before, 0, 0);
      for (int i = 0; i < writes; i++) {
        write(random);
      }
      return action.commit();
    }

    private void write(Random random) {
      int number = random.nextInt(60);
      boolean removes = random.nextInt(3) == 0;
      switch (random.nextInt(9)) {
        case 0 -> orders.add(number);
        case 1 -> returns.add(random.nextInt(3) - 1);
        case 2 ->
            change(
                removes,
                () -> colliding.remove("k" + number),
                () -> colliding.put("k" + number, (long) number));
        case 3 ->
            change(
                removes,
                () -> stock.remove("k" + number),
                () -> stock.put("k" + number, random.nextLong(4)));
        case 4 -> stock.put("k" + number, 1L, java.time.Duration.ofHours(1 + random.nextInt(3)));
        case 5 ->
            change(
                removes,
                () -> prices.remove(number),
                () -> prices.put(number, "p" + random.nextInt(3)));
        case 6 -> change(removes, () -> names.remove("n" + number), () -> names.add("n" + number));
        case 7 ->
            change(
                removes && !lines.isEmpty(),
                () -> lines.removeFirst(),
                () -> lines.add(random.nextInt(1 + lines.size()), "l" + number));
        default -> change(removes, () -> title.set(null), () -> title.set("t" + number));
      }
    }

    private static void change(boolean removes, Runnable remove, Runnable put) {
      (removes ? remove : put).run();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whoHasNothingGetsAVersionPieceByPiece(long seed) {
    Random random = new Random(seed);
    Store here = new Store();
    Version version = here.random(here.state.emptyVersion(), random, random.nextInt(300));
    Store there = new Store();
    int enoughBytes = 1 + random.nextInt(200);
    Assembly assembly = there.state.assembly(there.state.emptyVersion(), enoughBytes);
    take(assembly, here, version, enoughBytes);
    assertThat(assembly.version()).isEqualTo(version);
    assertThat(there.state.hash(assembly.version())).isEqualTo(here.state.hash(version));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whoHasSomethingElseGetsTheSame(long seed) {
    Random random = new Random(seed);
    Store here = new Store();
    Version version = here.random(here.state.emptyVersion(), random, random.nextInt(300));
    Store there = new Store();
    Version own = there.random(there.state.emptyVersion(), random, random.nextInt(300));
    int enoughBytes = 1 + random.nextInt(400);
    Assembly assembly = there.state.assembly(own, enoughBytes);
    take(assembly, here, version, enoughBytes);
    assertThat(assembly.version()).isEqualTo(version);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatChangesMeanwhileComesWithTheNextWalk(long seed) {
    Random random = new Random(seed);
    Store here = new Store();
    Version version = here.random(here.state.emptyVersion(), random, 200);
    Store there = new Store();
    Assembly assembly = there.state.assembly(there.state.emptyVersion(), 100);
    while (!assembly.isComplete()) {
      version = here.random(version, random, 3);
      assertThat(assembly.take(here.state.piece(version, assembly.wish(), 100))).isTrue();
    }
    assembly.again();
    take(assembly, here, version, 100);
    assertThat(assembly.version()).isEqualTo(version);
  }

  @Test
  void whatIsTheSameDoesNotTravel() {
    Store here = new Store();
    here.action = here.state.begin(here.state.emptyVersion(), 0, 0);
    for (int i = 0; i < 10_000; i++) {
      here.stock.put("key " + i, (long) i);
      here.prices.put(i, "price " + i);
    }
    Version before = here.action.commit();
    Store there = new Store();
    Assembly assembly = there.state.assembly(there.state.emptyVersion(), 4_096);
    long allBytes = take(assembly, here, before, 4_096);

    here.action = here.state.begin(before, 0, 0);
    here.stock.put("key 77", 78L);
    here.prices.remove(1_234);
    here.prices.put(-1, "new");
    Version after = here.action.commit();
    assembly.again();
    long moreBytes = take(assembly, here, after, 4_096);
    assertThat(assembly.version()).isEqualTo(after);
    assertThat(moreBytes).isLessThan(allBytes / 50);
  }

  @Test
  void aPieceIsNotMuchLargerThanEnough() {
    Store here = new Store();
    Random random = new Random(1);
    Version version = here.random(here.state.emptyVersion(), random, 3_000);
    Store there = new Store();
    Assembly assembly = there.state.assembly(there.state.emptyVersion(), 200);
    while (!assembly.isComplete()) {
      Bytes piece = here.state.piece(version, assembly.wish(), 200);
      assertThat(piece.size()).isLessThan(200 + 200); // Colliding keys stay together.
      assembly.take(piece);
    }
  }

  @Test
  void whoHasNothingNeedsNoStateToAskForTheNextPiece() {
    Store here = new Store();
    Version version = here.random(here.state.emptyVersion(), new Random(2), 300);
    Store there = new Store();
    Assembly assembly = there.state.assembly(there.state.emptyVersion(), 50);
    List<Bytes> pieces = new ArrayList<>();
    for (Bytes wish = assembly.wish(); wish != null; ) {
      Bytes piece = here.state.piece(version, wish, 50);
      pieces.add(piece);
      wish = Assembly.wishAfter(piece);
    }
    pieces.forEach(piece -> assertThat(assembly.take(piece)).isTrue());
    assertThat(assembly.isComplete()).isTrue();
    assertThat(assembly.version()).isEqualTo(version);
  }

  @Test
  void anotherPieceThanTheOneAskedForIsLeftAlone() {
    Store here = new Store();
    Version version = here.random(here.state.emptyVersion(), new Random(3), 300);
    Store there = new Store();
    Assembly assembly = there.state.assembly(there.state.emptyVersion(), 50);
    Bytes first = here.state.piece(version, assembly.wish(), 50);
    assertThat(assembly.take(first)).isTrue();
    Version before = assembly.version();
    assertThat(assembly.take(first)).isFalse();
    assertThat(assembly.version()).isSameAs(before);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void damagedPiecesAreRefusedAndLeaveNothingBehind(long seed) {
    Random random = new Random(seed);
    Store here = new Store();
    Version version = here.random(here.state.emptyVersion(), random, 200);
    Store there = new Store();
    Version own = there.random(there.state.emptyVersion(), random, 50);
    Assembly assembly = there.state.assembly(own, 300);
    while (!assembly.isComplete()) {
      Bytes piece = here.state.piece(version, assembly.wish(), 300);
      Version before = assembly.version();
      byte[] damaged = piece.toArray();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      Bytes wish = assembly.wish();
      try {
        if (assembly.take(Bytes.of(damaged))) {
          return; // Another piece of another version.
        }
      } catch (MalformedException | UnreadableStateException refused) {
        assertThat(refused.getMessage()).isNotEmpty();
      }
      assertThat(assembly.version()).isSameAs(before);
      assertThat(assembly.wish()).isEqualTo(wish);
      assertThat(assembly.take(piece)).isTrue();
    }
    assertThat(assembly.version()).isEqualTo(version);
  }

  @Test
  void whatIsNoWishIsRefused() {
    Store here = new Store();
    assertThatThrownBy(() -> here.state.piece(here.state.emptyVersion(), Bytes.of((byte) 7), 10))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("layout");
  }

  /** All pieces; returns what they have in bytes. */
  private static long take(Assembly assembly, Store giver, Version version, int enoughBytes) {
    long bytes = 0;
    Set<Bytes> wishes = new HashSet<>();
    while (!assembly.isComplete()) {
      Bytes wish = assembly.wish();
      assertThat(wishes.add(wish)).isTrue();
      Bytes piece = giver.state.piece(version, wish, enoughBytes);
      bytes += piece.size();
      assertThat(assembly.take(piece)).isTrue();
    }
    return bytes;
  }
}

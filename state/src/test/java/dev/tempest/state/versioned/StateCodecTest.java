package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.state.Counter;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StateCodecTest {
  static LongStream seeds() {
    return Seeds.of(100);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatIsWrittenIsReadByTheSameServiceElsewhere(long seed) {
    Shop here = new Shop();
    Version version = here.random(new Random(seed));
    Bytes bytes = here.bytes(version);

    Shop there = new Shop();
    Version read = WholeVersion.read(there.state, bytes);
    assertThat(read).isEqualTo(version);
    assertThat(there.bytes(read)).isEqualTo(bytes);
    assertThat(there.state.hash(read)).isEqualTo(here.state.hash(version));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void badBytesAreRefusedOrAnotherVersion(long seed) {
    Random random = new Random(seed);
    Shop shop = new Shop();
    Version empty = shop.state.emptyVersion();
    Bytes version = shop.bytes(shop.random(random));
    Bytes change = shop.bytes(shop.action.change());
    for (int i = 0; i < 100; i++) {
      damage(
          version,
          random,
          bytes -> {
            Assembly assembly = shop.state.assembly(empty, Integer.MAX_VALUE);
            assembly.take(bytes);
            shop.state.hash(assembly.version());
          });
      damage(change, random, bytes -> shop.state.readChange(bytes.reader()).applyTo(empty));
    }
  }

  @Test
  void aStateObjectDeclaredSinceIsEmpty() {
    VersionedState older = new VersionedState();
    Counter orders = older.counter("orders");
    VersionedAction action = older.begin(older.emptyVersion(), 0, 0);
    orders.add(3);
    Bytes bytes = WholeVersion.bytes(older, action.commit());

    Shop shop = new Shop();
    assertThat(shop.state.contents(WholeVersion.read(shop.state, bytes)).toString())
        .isEqualTo("{stock={}, tags=[], orders=3, blobs={}}");
  }

  @Test
  void refusesAKeyTwice() {
    ByteWriter writer = new ByteWriter(100);
    writer.writeVarint(2);
    writer.writeVarint(1);
    writer.writeString("tags");
    writer.writeByte(2);
    writer.writeVarint(2);
    for (int i = 0; i < 2; i++) {
      writer.writeByte(2); // An Integer.
      writer.writeZigzag(5);
      writer.writeByte(1);
    }
    assertRefused(writer.toBytes(), "set 'tags' has a key twice");
  }

  @Test
  void refusesAnObjectTwice() {
    ByteWriter writer = new ByteWriter(100);
    writer.writeVarint(2);
    writer.writeVarint(2);
    for (int i = 0; i < 2; i++) {
      writer.writeString("orders");
      writer.writeByte(3);
      writer.writeZigzag(5);
    }
    assertRefused(writer.toBytes(), "'orders' is duplicated or out of order");
  }

  @Test
  void refusesAnotherLayout() {
    assertRefused(Bytes.of(new byte[] {1, 0}), "layout of a change: 1");
  }

  private static void damage(Bytes bytes, Random random, Consumer<Bytes> read) {
    byte[] damaged = bytes.toArray();
    int size = damaged.length;
    for (int flips = random.nextInt(4); flips >= 0; flips--) {
      damaged[random.nextInt(size)] ^= (byte) (1 << random.nextInt(8));
    }
    if (random.nextInt(4) == 0) {
      size = random.nextInt(size);
    }
    try {
      read.accept(Bytes.of(Arrays.copyOf(damaged, size)));
    } catch (MalformedException | UnreadableStateException expected) {
      assertThat(expected.getMessage()).isNotEmpty().hasSizeLessThan(1000);
    }
  }

  private static void assertRefused(Bytes bytes, String message) {
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> new Shop().state.readChange(bytes.reader()))
        .withMessageContaining(message);
  }
}

package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.state.Counter;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VersionCodecTest {
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
    ByteReader reader = bytes.reader();
    Version read = there.state.read(reader);
    reader.expectEnd();
    assertThat(read).isEqualTo(version);
    assertThat(there.bytes(read)).isEqualTo(bytes);
    assertThat(there.state.hash(read)).isEqualTo(here.state.hash(version));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void badBytesAreRefusedOrAnotherVersion(long seed) {
    Random random = new Random(seed);
    Shop shop = new Shop();
    Bytes version = shop.bytes(shop.random(random));
    Bytes change = shop.bytes(shop.action.change());
    for (int i = 0; i < 100; i++) {
      damage(version, random, bytes -> shop.state.hash(shop.state.read(bytes)));
      damage(
          change, random, bytes -> shop.state.readChange(bytes).applyTo(shop.state.emptyVersion()));
    }
  }

  @Test
  void aStateObjectDeclaredSinceIsEmpty() {
    VersionedState older = new VersionedState();
    Counter orders = older.counter("orders");
    VersionedAction action = older.begin(older.emptyVersion(), 0, 0);
    orders.add(3);
    ByteWriter writer = new ByteWriter(100);
    older.write(action.commit(), writer);

    Shop shop = new Shop();
    assertThat(shop.state.contents(shop.state.read(writer.toBytes().reader())).toString())
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
    assertRefused(Bytes.of(new byte[] {1, 0}), "layout 1");
  }

  private static void damage(Bytes bytes, Random random, Consumer<ByteReader> read) {
    byte[] damaged = bytes.toArray();
    int size = damaged.length;
    for (int flips = random.nextInt(4); flips >= 0; flips--) {
      damaged[random.nextInt(size)] ^= (byte) (1 << random.nextInt(8));
    }
    if (random.nextInt(4) == 0) {
      size = random.nextInt(size);
    }
    try {
      read.accept(new ByteReader(damaged, 0, size));
    } catch (MalformedException | UnreadableStateException expected) {
      assertThat(expected.getMessage()).isNotEmpty().hasSizeLessThan(1000);
    }
  }

  private static void assertRefused(Bytes bytes, String message) {
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> new Shop().state.read(bytes.reader()))
        .withMessageContaining(message);
  }
}

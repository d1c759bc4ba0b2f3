package dev.tempest.state.versioned;

import dev.tempest.state.Counter;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;

/** A state with an object of every kind, and random actions on it. */
final class Shop {
  final VersionedState state = new VersionedState();
  final ConcurrentMap<String, Line> stock = state.map("stock", String.class, Line.class);
  final Set<Integer> tags = state.set("tags", int.class);
  final Counter orders = state.counter("orders");
  final ConcurrentMap<Long, byte[]> blobs = state.map("blobs", Long.class, byte[].class);

  /** The action that was begun last. */
  VersionedAction action = state.begin(state.emptyVersion(), 0, 0);

  Shop() {
    action.abort();
  }

  record Line(String text, int count) {}

  /** A version after one to a hundred random writes. */
  Version random(Random random) {
    begin(state.emptyVersion());
    write(random, 1 + random.nextInt(100));
    return action.commit();
  }

  void begin(Version before) {
    action = state.begin(before, 0, 0);
  }

  void write(Random random, int writes) {
    for (int i = 0; i < writes; i++) {
      write(random);
    }
  }

  Bytes bytes(Version version) {
    return WholeVersion.bytes(state, version);
  }

  Bytes bytes(Change change) {
    ByteWriter writer = new ByteWriter(1 << 20);
    state.writeChange(change, writer);
    return writer.toBytes();
  }

  private void write(Random random) {
    String key = "item " + random.nextInt(20);
    switch (random.nextInt(10)) {
      case 0, 1 -> stock.put(key, new Line(key, random.nextInt(3)));
      case 2 -> stock.merge(key, new Line(key, 1), (old, one) -> new Line(key, old.count() + 1));
      case 3 -> stock.remove(key);
      case 4 -> tags.add(random.nextInt(20));
      case 5 -> tags.remove(random.nextInt(20));
      case 6 -> orders.add(random.nextInt(5) - 2);
      case 7 -> blobs.put((long) random.nextInt(5), new byte[random.nextInt(3)]);
      case 8 -> blobs.keySet().removeIf(blob -> blob < random.nextInt(3));
      default -> {
        if (random.nextInt(20) == 0) {
          stock.clear();
        }
      }
    }
  }
}

package dev.tempest.bench;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.concurrent.ConcurrentMap;

/** Values under numbers: the least that a store can do. */
public interface Store {
  /** Keeps a value; returns the index of the server that executed it. */
  @Update
  int put(int key, byte[] value);

  /** Keeps a value, and says nothing: so it comes to the same whoever executes it. */
  @Update
  void set(int key, byte[] value);

  /** The value; empty if there is none. */
  @Read
  byte[] get(int key);

  /** Over a replicated map. */
  final class Service implements Store {
    private static final byte[] NONE = {};

    private final ConcurrentMap<Integer, byte[]> values;
    private final int server;

    Service(State state, int server) {
      this.values = state.map("values", Integer.class, byte[].class);
      this.server = server;
    }

    @Override
    public int put(int key, byte[] value) {
      values.put(key, value);
      return server;
    }

    @Override
    public void set(int key, byte[] value) {
      values.put(key, value);
    }

    @Override
    public byte[] get(int key) {
      return values.getOrDefault(key, NONE);
    }
  }
}

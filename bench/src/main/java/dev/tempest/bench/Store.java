package dev.tempest.bench;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** Values under numbers: the least that a store can do. */
public interface Store {
  /** Keeps a value; returns the index of the server that executed it. */
  @Update
  int put(int key, byte[] value);

  /** Keeps a value, and says nothing: so it comes to the same whoever executes it. */
  @Update
  void set(int key, byte[] value);

  /** Keeps a value of that size that it makes: what is asked is small, and what changes is not. */
  @Update
  int make(int key, int bytes);

  /** The value; empty if there is none. */
  @Read
  byte[] get(int key);

  /** Over a replicated map. */
  final class Service implements Store {
    private static final byte[] NONE = {};
    private static final LongAdder EXECUTED = new LongAdder();

    private final ConcurrentMap<Integer, byte[]> values;
    private final int server;
    private final StateCarrier.Opened carrier;

    Service(State state, int server) {
      this(state, server, new StateCarrier.Nobody().open());
    }

    /** One whose changes go elsewhere, too. */
    Service(State state, int server, StateCarrier.Opened carrier) {
      this.values = state.map("values", Integer.class, byte[].class);
      this.server = server;
      this.carrier = carrier;
    }

    /** How many puts were executed in this process, whether they counted or not. */
    static long executed() {
      return EXECUTED.sum();
    }

    @Override
    public int put(int key, byte[] value) {
      EXECUTED.increment();
      values.put(key, value);
      return server;
    }

    @Override
    public void set(int key, byte[] value) {
      values.put(key, value);
    }

    @Override
    public int make(int key, int bytes) {
      byte[] value = new byte[bytes];
      values.put(key, value);
      carrier.carry(value);
      return server;
    }

    @Override
    public byte[] get(int key) {
      return values.getOrDefault(key, NONE);
    }
  }
}

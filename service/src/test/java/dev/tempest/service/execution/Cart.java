package dev.tempest.service.execution;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.Counter;
import dev.tempest.state.State;
import dev.tempest.state.versioned.VersionedAction;
import java.time.Instant;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A small service that does well and badly. */
public interface Cart {
  /** Adds one. */
  @Update
  int add(String item);

  /** Adds many. */
  @Update
  int add(String item, int count);

  /** Adds what the record says. */
  @Update
  void add(Line line);

  /** Writes twice, then throws. */
  @Update
  void fail(String what);

  /** Writes, then calls itself without end. */
  @Update
  int overflow(int depth);

  /** Writes, then breaks the Java machine's word. */
  @Update
  void breakDown();

  /** Writes, and aborts what is not its own to abort. */
  @Update
  int abort();

  /** Writes, and commits what is not its own to commit. */
  @Update
  int commit();

  /** Throws by what it is given. */
  @Update
  void order(String what) throws SoldOut, Unmakable;

  /** Time and chance. */
  @Update
  String draw();

  /** Returns as many bytes. */
  @Update
  byte[] produce(int size);

  /** Null if there is none. */
  @Read
  @Nullable Integer check(String item);

  /** Says it reads, and writes. */
  @Read
  int cheat();

  /** When it is. */
  @Read
  long nowMillis();

  /** Throws what it cannot describe. */
  @Read
  void failSpeechlessly();

  /** No part of the service. */
  default boolean has(String item) {
    return check(item) != null;
  }

  /** No part of the service. */
  static Cart of(State state) {
    return new CartService(state);
  }

  /** Declared, as a client makes it anew. */
  class SoldOut extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says of what. */
    public SoldOut(String message) {
      super(message);
    }
  }

  /** Not declared itself. */
  final class SoldOutForNow extends SoldOut {
    private static final long serialVersionUID = 1L;

    /** Says until when. */
    public SoldOutForNow(String message) {
      super(message);
    }
  }

  /** Declared, and needs more than a message. */
  final class Unmakable extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says how much. */
    public Unmakable(int number) {
      super("number " + number);
    }
  }

  /** One more service. */
  interface Echo {
    /** What was said. */
    @Read
    String echo(String text);
  }

  /** And another. */
  interface Shout {
    /** What was said, louder. */
    @Read
    String shout(String text);
  }

  /** Both of them. */
  interface Voice extends Echo, Shout {}

  /** An item and how many. */
  record Line(String item, int count) {}

  /** Over state. */
  final class CartService implements Cart {
    private final State state;
    private final ConcurrentMap<String, Integer> items;
    private final Counter updates;

    /** Declares the state. */
    public CartService(State state) {
      this.state = state;
      this.items = state.map("items", String.class, Integer.class);
      this.updates = state.counter("updates");
    }

    @Override
    public int add(String item) {
      return add(item, 1);
    }

    @Override
    public int add(String item, int count) {
      updates.increment();
      return items.merge(item, count, Math::addExact);
    }

    @Override
    public void add(Line line) {
      add(line.item(), line.count());
    }

    @Override
    public void fail(String what) {
      add("ghost");
      throw new IllegalArgumentException(what);
    }

    @Override
    @SuppressWarnings("InfiniteRecursion") // That is its purpose.
    public int overflow(int depth) {
      add("ghost");
      return overflow(depth + 1) + 1;
    }

    @Override
    public void breakDown() {
      add("ghost");
      throw new InternalError("of a test");
    }

    @Override
    public int abort() {
      add("ghost");
      ((VersionedAction) state.action()).abort();
      return 1;
    }

    @Override
    public int commit() {
      add("ghost");
      ((VersionedAction) state.action()).commit();
      return 1;
    }

    @Override
    public void order(String what) throws SoldOut {
      switch (what) {
        case "much" -> throw new SoldOut(what);
        case "soon" -> throw new SoldOutForNow(what);
        default -> throw new IllegalStateException();
      }
    }

    @Override
    public String draw() {
      Instant now = state.action().now();
      return now + " " + state.action().random().nextLong();
    }

    @Override
    public byte[] produce(int size) {
      add("ghost");
      return new byte[size];
    }

    @Override
    public @Nullable Integer check(String item) {
      return items.get(item);
    }

    @Override
    public int cheat() {
      return add("ghost");
    }

    @Override
    public long nowMillis() {
      return state.action().now().toEpochMilli();
    }

    @Override
    public void failSpeechlessly() {
      throw new IllegalStateException() {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
          throw new UnsupportedOperationException();
        }
      };
    }
  }
}

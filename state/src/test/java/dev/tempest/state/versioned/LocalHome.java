package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A home of one thread, whose changes go to other such homes as bytes. */
final class LocalHome implements Home {
  final VersionedState state;
  private final Map<String, Terms> terms = new HashMap<>();
  private final List<LocalHome> others = new ArrayList<>();
  private Version version;
  private @Nullable VersionedAction action;
  private int depth;
  private long seed;
  long nowMillis = 1_000_000;

  /** Takes the uses of entries by reads. */
  Consumer<Runnable> uses = Runnable::run;

  /** What another thread does just before this one looks. */
  Runnable meanwhile = () -> {};

  @Nullable Certain certain;

  /** How many actions have been committed here. */
  int actions;

  /** The last change that was committed here. */
  Bytes written = Bytes.EMPTY;

  LocalHome() {
    this.state = new VersionedState(this, name -> terms.getOrDefault(name, Terms.DEFAULT));
    this.version = state.emptyVersion();
  }

  /** What is written here arrives there at once from now on. */
  LocalHome to(LocalHome other) {
    others.add(other);
    return this;
  }

  LocalHome with(String name, Terms its) {
    terms.put(name, its);
    return this;
  }

  /** Its actions draw from other seeds than those of homes with other numbers. */
  LocalHome numbered(int number) {
    seed = (long) number << Integer.SIZE;
    return this;
  }

  void apply(Bytes change) {
    version = state.readChange(change.reader()).applyTo(version);
  }

  /** What a node does once more classes have been declared. */
  void upgrade() {
    version = state.upgrade(version);
  }

  void expire() {
    version = state.expire(version, nowMillis);
  }

  Bytes bytes() {
    return WholeVersion.bytes(state, version);
  }

  void take(Bytes transferred) {
    version = WholeVersion.read(state, transferred);
  }

  @Override
  public Version published() {
    Runnable once = meanwhile;
    meanwhile = () -> {};
    once.run();
    meanwhile = once;
    return version;
  }

  @Override
  public @Nullable Certain certain() {
    return certain;
  }

  @Override
  public long nowMillis() {
    return nowMillis;
  }

  @Override
  public @Nullable VersionedAction action() {
    return depth > 0 ? action : null;
  }

  @Override
  public <T extends @Nullable Object> T write(Function<VersionedAction, T> writes) {
    enter();
    try {
      return writes.apply(Objects.requireNonNull(action));
    } finally {
      leave();
    }
  }

  void enter() {
    if (depth++ == 0) {
      action = state.begin(version, nowMillis, seed++);
    }
  }

  void leave() {
    VersionedAction ended = action;
    if (--depth > 0 || ended == null) {
      return;
    }
    version = ended.commit();
    actions++;
    ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
    state.writeChange(ended.change(), writer);
    written = writer.toBytes();
    others.forEach(other -> other.apply(written));
  }

  @Override
  public void later(Runnable write) {
    uses.accept(write);
  }

  @Override
  public long awaitShown(Predicate<Version> holds, long timeoutNanos) {
    return 0;
  }
}

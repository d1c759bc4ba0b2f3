package dev.tempest.state.versioned;

import dev.tempest.state.Value;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A declared single value, over the version that the caller sees: an object of one key. */
final class StateValue<V> implements Value<V>, KeyedCollection<Byte, V> {
  private static final Byte KEY = 0;

  private final VersionedState state;
  private final KeyedObject<Byte, V> object;

  StateValue(VersionedState state, KeyedObject<Byte, V> object) {
    this.state = state;
    this.object = object;
  }

  @Override
  public VersionedState state() {
    return state;
  }

  @Override
  public KeyedObject<Byte, V> object() {
    return object;
  }

  @Override
  public @Nullable V get() {
    Object slot = state.keyed(object, KEY).entries().get(KEY);
    long nowMillis = slot instanceof Lease ? state.nowMillis() : 0;
    return outOrNull(object.visible(slot, nowMillis));
  }

  @Override
  public void set(@Nullable V value) {
    V stored = inOrNull(value);
    state.write(action -> {
      write(action, stored);
      return null;
    });
  }

  @Override
  public boolean compareAndSet(@Nullable V expected, @Nullable V value) {
    V stored = inOrNull(value);
    V query = expected == null ? null : object.values.asQuery(expected);
    return state.write(action -> {
      V old = action.find(object, KEY);
      if (!isSame(old, expected, query)) {
        return false;
      }
      writeIf(action, query, stored);
      return true;
    });
  }

  @Override
  public @Nullable V getAndSet(@Nullable V value) {
    V stored = inOrNull(value);
    return state.write(action -> {
      V old = outOrNull(action.find(object, KEY));
      write(action, stored);
      return old;
    });
  }

  @Override
  public @Nullable V getAndUpdate(UnaryOperator<@Nullable V> function) {
    Objects.requireNonNull(function);
    return state.write(action -> {
      V old = action.find(object, KEY);
      write(action, inOrNull(function.apply(outOrNull(old))));
      return outOrNull(old);
    });
  }

  @Override
  public @Nullable V updateAndGet(UnaryOperator<@Nullable V> function) {
    Objects.requireNonNull(function);
    return state.write(action -> {
      V updated = function.apply(outOrNull(action.find(object, KEY)));
      write(action, inOrNull(updated));
      return updated;
    });
  }

  @Override
  public String toString() {
    return String.valueOf(get());
  }

  private void write(VersionedAction action, @Nullable V stored) {
    if (stored == null) {
      action.remove(object, KEY);
    } else {
      action.put(object, KEY, stored);
    }
  }

  private void writeIf(VersionedAction action, @Nullable V expected, @Nullable V stored) {
    if (stored != null) {
      action.putIf(object, KEY, expected, stored);
    } else if (expected != null) {
      action.removeIf(object, KEY, expected);
    }
  }

  private boolean isSame(@Nullable V old, @Nullable V expected, @Nullable V query) {
    if (old == null || query == null) {
      return old == null && expected == null;
    }
    return object.values.isSame(old, query);
  }

  private @Nullable V inOrNull(@Nullable V value) {
    return value == null ? null : object.values.in(value);
  }

  private @Nullable V outOrNull(@Nullable V stored) {
    return stored == null ? null : object.values.out(stored);
  }
}

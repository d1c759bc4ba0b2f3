package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.ValueType;
import java.util.Objects;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Strings with a hash of the test's choice. */
record BadHash(ToIntFunction<String> hash) implements ValueType<String> {
  @Override
  public Class<String> declared() {
    return String.class;
  }

  @Override
  public boolean hasContentEquality() {
    return true;
  }

  @Override
  public void write(@Nullable String value, ByteWriter writer) {
    writer.writeString(Objects.requireNonNull(value));
  }

  @Override
  public String read(ByteReader reader) {
    return reader.readString();
  }

  @Override
  public String copy(String value) {
    return value;
  }

  @Override
  public int compareContents(String left, String right) {
    return left.compareTo(right);
  }

  @Override
  public int hash(String value) {
    return hash.applyAsInt(value);
  }
}

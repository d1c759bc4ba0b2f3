package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.ValueType;
import org.jspecify.annotations.Nullable;

/** The only value in the trie of a set. It takes no byte. */
enum Present {
  PRESENT;

  static final StoredType<Present> TYPE = StoredType.of(new Type());

  private static final class Type implements ValueType<Present> {
    @Override
    public Class<Present> declared() {
      return Present.class;
    }

    @Override
    public boolean hasContentEquality() {
      return true;
    }

    @Override
    public long mostBytes(Present value) {
      return 0;
    }

    @Override
    public void write(@Nullable Present value, ByteWriter writer) {
      // The element before it says all.
    }

    @Override
    public Present read(ByteReader reader) {
      return PRESENT;
    }

    @Override
    public Present copy(Present value) {
      return value;
    }

    @Override
    public int hash(Present value) {
      return 0;
    }
  }
}

package dev.tempest;

import dev.tempest.runtime.frontend.SeenByService;
import dev.tempest.values.encoding.MalformedException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link CausalChain} or a {@link Node} has seen, to pass on: within this process, or
 * elsewhere as text or bytes. A chain that takes the handle sees all that the first one saw; a node
 * can wait until it does.
 *
 * <p>Opaque, and small: about 20 bytes for each client that has made updates in the last seconds.
 * It grants no rights, and is useless without access to the services.
 *
 * <p>Immutable and thread-safe.
 */
public final class Handle {
  /** Nothing has been seen. */
  public static final Handle NOTHING = new Handle(SeenByService.NOTHING);

  /** The largest handle in bytes. */
  public static final int BYTES_MAX = SeenByService.BYTES_MAX;

  private final SeenByService seen;

  Handle(SeenByService seen) {
    this.seen = seen;
  }

  /**
   * The handle with these bytes.
   *
   * @throws IllegalArgumentException if {@link #toBytes} never gave them
   */
  public static Handle of(byte[] bytes) {
    try {
      return new Handle(SeenByService.of(bytes));
    } catch (MalformedException malformed) {
      throw new IllegalArgumentException("not a handle: " + malformed.getMessage(), malformed);
    }
  }

  /**
   * The handle with this text.
   *
   * @throws IllegalArgumentException if {@link #toString} never gave it
   */
  public static Handle parse(String text) {
    Handle handle = of(Base64.getUrlDecoder().decode(text));
    if (!handle.toString().equals(text)) {
      throw new IllegalArgumentException("not a handle: wrong last character or padding");
    }
    return handle;
  }

  /**
   * A handle of everything that this one or the other one has seen.
   *
   * @throws IllegalArgumentException if that exceeds a handle: it holds the unsettled updates of at
   *     most 1,024 clients of a service, with at most 1,023 gaps each
   */
  public Handle max(Handle other) {
    return new Handle(seen.max(other.seen));
  }

  /** As bytes, for {@link #of}. */
  public byte[] toBytes() {
    return seen.toBytes().toArray();
  }

  SeenByService seen() {
    return seen;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Handle that && seen.equals(that.seen);
  }

  @Override
  public int hashCode() {
    return seen.hashCode();
  }

  /** As text without blanks, for {@link #parse}: letters, digits, {@code -} and {@code _}. */
  @Override
  public String toString() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(toBytes());
  }
}

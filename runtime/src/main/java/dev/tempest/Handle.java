package dev.tempest;

import dev.tempest.values.ByteReader;
import dev.tempest.values.ByteWriter;
import dev.tempest.values.MalformedException;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenCodec;
import java.util.Base64;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Session} has seen, for another one: in this process, or elsewhere as text or bytes.
 * Whoever is given a handle sees all that its giver saw.
 *
 * <p>Opaque: small while few clients have made updates in the last seconds (about 20 bytes for each
 * of these clients), and of no use to anybody without the services. It grants no rights.
 *
 * <p>Immutable and thread-safe.
 */
public final class Handle {
  /** Nothing has been seen. */
  public static final Handle NOTHING = new Handle(new TreeMap<>());

  /** The largest handle in bytes. */
  public static final int BYTES_MAX = 1 << 20;

  private static final int VERSION = 1;
  private static final int SERVICES_MAX = 1_024;

  /** By the hash of the service's name. */
  private final SortedMap<Long, Seen> services;

  private Handle(SortedMap<Long, Seen> services) {
    this.services = services;
  }

  /**
   * The handle with these bytes.
   *
   * @throws IllegalArgumentException if {@link #toBytes} never gave them
   */
  public static Handle of(byte[] bytes) {
    if (bytes.length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "a handle has at most " + BYTES_MAX + " bytes, not " + bytes.length);
    }
    try {
      return read(new ByteReader(bytes, 0, bytes.length));
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
      throw new IllegalArgumentException("not a handle: its last character or its padding is off");
    }
    return handle;
  }

  private static Handle read(ByteReader reader) {
    int version = reader.readByte();
    if (version != VERSION) {
      throw new MalformedException("a handle of version " + version + ", not " + VERSION);
    }
    TreeMap<Long, Seen> services = new TreeMap<>();
    for (int left = reader.readVarint(SERVICES_MAX); left > 0; left--) {
      long service = reader.readLong();
      if (!services.isEmpty() && services.lastKey() >= service) {
        throw new MalformedException("services do not ascend");
      }
      services.put(service, SeenCodec.read(reader));
    }
    if (reader.remaining() > 0) {
      throw new MalformedException(reader.remaining() + " bytes follow its end");
    }
    return new Handle(services);
  }

  /**
   * What was seen with this handle or with the other one.
   *
   * @throws IllegalArgumentException if that is more than a handle holds, of one service the
   *     unsettled updates of {@link Seen#CLIENTS_MAX} clients
   */
  public Handle max(Handle other) {
    TreeMap<Long, Seen> all = new TreeMap<>(services);
    other.services.forEach((service, seen) -> all.merge(service, seen, Seen::max));
    return new Handle(all);
  }

  /** As bytes, for {@link #of}. */
  public byte[] toBytes() {
    ByteWriter writer = new ByteWriter(BYTES_MAX);
    writer.writeByte(VERSION);
    writer.writeVarint(services.size());
    for (Map.Entry<Long, Seen> each : services.entrySet()) {
      writer.writeLong(each.getKey());
      SeenCodec.write(writer, each.getValue());
    }
    return writer.toBytes().toArray();
  }

  Seen seen(long service) {
    return services.getOrDefault(service, Seen.NOTHING);
  }

  Handle with(long service, Seen seen) {
    TreeMap<Long, Seen> all = new TreeMap<>(services);
    all.put(service, seen);
    return new Handle(all);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Handle that && services.equals(that.services);
  }

  @Override
  public int hashCode() {
    return services.hashCode();
  }

  /** As text without blanks, for {@link #parse}: letters, digits, {@code -} and {@code _}. */
  @Override
  public String toString() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(toBytes());
  }
}

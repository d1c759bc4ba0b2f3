package dev.tempest.runtime.frontend;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenCodec;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What has been seen of each service: the contents of a handle.
 *
 * <p>As bytes: the version, the number of services, and for each, ascending, the stable hash of its
 * name and a {@link Seen}. Immutable.
 *
 * @param services by the stable hash of the service's name
 */
public record SeenByService(SortedMap<Long, Seen> services) {
  /** Nothing has been seen. */
  public static final SeenByService NOTHING = new SeenByService(new TreeMap<>());

  /** The most bytes that it may have. */
  public static final int BYTES_MAX = 1 << 20;

  private static final int VERSION = 2;
  private static final int SERVICES_MAX = 1_024;

  /** Keeps its own copy. */
  public SeenByService {
    services = new TreeMap<>(services);
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws MalformedException if it did not
   */
  public static SeenByService of(byte[] bytes) {
    if (bytes.length > BYTES_MAX) {
      throw new MalformedException(bytes.length + " bytes, more than " + BYTES_MAX);
    }
    ByteReader reader = new ByteReader(bytes, 0, bytes.length);
    int version = reader.readByte();
    if (version != VERSION) {
      throw new MalformedException("its version is " + version + ", not " + VERSION);
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
      throw new MalformedException(reader.remaining() + " bytes after its end");
    }
    return new SeenByService(services);
  }

  /** Its bytes, for {@link #of(byte[])}. */
  public Bytes toBytes() {
    ByteWriter writer = new ByteWriter(BYTES_MAX);
    writer.writeByte(VERSION);
    writer.writeVarint(services.size());
    for (Map.Entry<Long, Seen> each : services.entrySet()) {
      writer.writeLong(each.getKey());
      SeenCodec.write(writer, each.getValue());
    }
    return writer.toBytes();
  }

  /**
   * What was seen here or there.
   *
   * @throws IllegalArgumentException if that is more than one can hold
   */
  public SeenByService max(SeenByService other) {
    TreeMap<Long, Seen> all = new TreeMap<>(services);
    other.services.forEach((service, seen) -> all.merge(service, seen, Seen::max));
    return new SeenByService(all);
  }

  /** What has been seen of one service. */
  public Seen of(long service) {
    return services.getOrDefault(service, Seen.NOTHING);
  }

  /** The same, but of one service this. */
  public SeenByService with(long service, Seen seen) {
    TreeMap<Long, Seen> all = new TreeMap<>(services);
    all.put(service, seen);
    return new SeenByService(all);
  }
}

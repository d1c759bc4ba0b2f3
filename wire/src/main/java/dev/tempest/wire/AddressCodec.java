package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Message.AddressChallenge;
import dev.tempest.wire.Message.AddressMessage;
import dev.tempest.wire.Message.AddressProof;

/** What endpoints say to each other to learn that they are where they say. */
final class AddressCodec {
  /** An IPv6 address and a port. */
  static final int ADDRESS_BYTES_MAX = 18;

  private AddressCodec() {}

  static void write(ByteWriter writer, AddressMessage message) {
    switch (message) {
      case AddressChallenge(Bytes address, long token) ->
          write(writer, MessageType.ADDRESS_CHALLENGE, address, token);
      case AddressProof(Bytes address, long token) ->
          write(writer, MessageType.ADDRESS_PROOF, address, token);
    }
  }

  private static void write(ByteWriter writer, int type, Bytes address, long token) {
    if (address.size() > ADDRESS_BYTES_MAX) {
      throw new IllegalArgumentException("an address of " + address.size() + " bytes");
    }
    writer.writeByte(type);
    writer.writeBytes(address);
    writer.writeLong(token);
  }

  static AddressChallenge readChallenge(ByteReader reader) {
    return new AddressChallenge(readAddress(reader), reader.readLong());
  }

  static AddressProof readProof(ByteReader reader) {
    return new AddressProof(readAddress(reader), reader.readLong());
  }

  private static Bytes readAddress(ByteReader reader) {
    return reader.readRaw(reader.readVarint(ADDRESS_BYTES_MAX));
  }
}

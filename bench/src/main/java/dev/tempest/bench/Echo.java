package dev.tempest.bench;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** The least that a service can do: what remains is the cost of the protocol. */
public interface Echo {
  /** Returns its argument, executed once at every replica. */
  @Update
  byte[] ping(byte[] payload);

  /** Returns its argument, executed at one replica. */
  @Read
  byte[] peek(byte[] payload);

  /** Without state. */
  final class Service implements Echo {
    @Override
    public byte[] ping(byte[] payload) {
      return payload;
    }

    @Override
    public byte[] peek(byte[] payload) {
      return payload;
    }
  }
}

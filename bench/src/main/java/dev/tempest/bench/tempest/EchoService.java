package dev.tempest.bench.tempest;

/** {@link Echo} without state. */
final class EchoService implements Echo {
  @Override
  public byte[] ping(byte[] payload) {
    return payload;
  }

  @Override
  public byte[] peek(byte[] payload) {
    return payload;
  }
}

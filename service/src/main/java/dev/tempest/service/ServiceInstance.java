package dev.tempest.service;

import dev.tempest.state.State;
import dev.tempest.state.Version;
import dev.tempest.values.ByteReader;
import dev.tempest.values.ByteWriter;
import dev.tempest.values.Bytes;
import java.util.function.Function;

/**
 * One plain service class made executable over versions of its state.
 *
 * <p>Deterministic if the class is. Not thread-safe: its owner calls it from one thread at a time.
 */
public final class ServiceInstance {
  private ServiceInstance() {}

  /**
   * Makes the service that {@code factory} constructs over its state executable through {@code
   * api}.
   */
  public static <S> ServiceInstance of(Class<S> api, Function<State, ? extends S> factory) {
    throw new UnsupportedOperationException("built by the helper who owns service");
  }

  /** The version in which every state object is empty. */
  public Version emptyVersion() {
    throw new UnsupportedOperationException("built by the helper who owns service");
  }

  /**
   * Executes an update.
   *
   * @param nowMillis the time that the method sees, milliseconds since 1970
   * @param seed of the randomness that the method sees
   */
  public Execution update(Version before, int method, Bytes arguments, long nowMillis, long seed) {
    throw new UnsupportedOperationException("built by the helper who owns service");
  }

  /** Executes a read on a version. */
  public Result read(Version version, int method, Bytes arguments, long nowMillis) {
    throw new UnsupportedOperationException("built by the helper who owns service");
  }

  /** Writes the contents of a version. */
  public void writeVersion(Version version, ByteWriter writer) {
    throw new UnsupportedOperationException("built by the helper who owns service");
  }

  /**
   * Reads the contents of a version.
   *
   * @throws dev.tempest.values.MalformedException if the bytes are not one of this service
   */
  public Version readVersion(ByteReader reader) {
    throw new UnsupportedOperationException("built by the helper who owns service");
  }
}

package dev.tempest.wire;

import dev.tempest.values.ByteReader;
import dev.tempest.values.ByteWriter;

/**
 * Frames to bytes and back.
 *
 * <p>Stateless and thread-safe.
 */
public final class FrameCodec {
  private FrameCodec() {}

  /** Begins a frame: the header with a blank checksum. */
  public static void begin(ByteWriter writer, long cluster, long sender) {
    throw new UnsupportedOperationException("built by the helper who owns wire");
  }

  /** Adds a message to a begun frame. */
  public static void add(ByteWriter writer, Message message) {
    throw new UnsupportedOperationException("built by the helper who owns wire");
  }

  /** Ends a frame: fills in the checksum. */
  public static void end(ByteWriter writer) {
    throw new UnsupportedOperationException("built by the helper who owns wire");
  }

  /**
   * Reads one whole frame.
   *
   * @throws dev.tempest.values.MalformedException if the bytes are not exactly one frame
   */
  public static Frame read(ByteReader reader) {
    throw new UnsupportedOperationException("built by the helper who owns wire");
  }
}

package dev.tempest.wire;

import dev.tempest.values.encoding.Bytes;

/**
 * One invocation of a service method, as it travels and as it is kept in the log: every replica
 * executes it.
 *
 * @param method the number of the method, a stable hash of its signature
 * @param arguments the arguments, encoded by their declared types
 */
public record Call(int method, Bytes arguments) implements Body {
  @Override
  public int sizeBytes() {
    return arguments.size();
  }
}

package dev.tempest.runtime.frontend;

import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.Call;
import dev.tempest.wire.RequestId;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Names a request by a key from outside, so that whoever repeats the request under the key gives it
 * the same name, at whichever front-end.
 *
 * <p>The call is part of the name. Two calls under one key are two requests, as replicas take it
 * for granted that all attempts of one request carry the same call. 126 bits of SHA-256 leave
 * nobody a way to find two calls, or two keys, of the same name.
 */
final class RequestKey {
  private static final int HEAD_BYTES = 64;

  private RequestKey() {}

  /** The id of a call on the service with that hash. */
  static RequestId id(String key, long service, Call call) {
    ByteWriter head = new ByteWriter(HEAD_BYTES + 4 * key.length());
    head.writeLong(service);
    head.writeInt(call.method());
    head.writeString(key);
    ByteBuffer hash = ByteBuffer.wrap(sha256(head, call));
    return new RequestId(hash.getLong(), (hash.getLong() >>> 2) + 1);
  }

  private static byte[] sha256(ByteWriter head, Call call) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(head.toBytes().toArray());
      return digest.digest(call.arguments().toArray());
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every JDK has SHA-256", impossible);
    }
  }
}

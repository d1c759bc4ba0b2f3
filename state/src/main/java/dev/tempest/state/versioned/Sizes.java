package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.UserCode;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the collections of a version in a time that does not grow with their contents: encodes a
 * few entries of each, and no more bytes of all together than {@link #ENCODED_MAX_BYTES}.
 */
final class Sizes {
  /** The mean of so many is near enough. */
  static final int SAMPLE_MAX = 64;

  /** Takes about a tenth of a millisecond to encode. */
  static final int ENCODED_MAX_BYTES = 64 << 10;

  private int leftBytes = ENCODED_MAX_BYTES;

  List<CollectionSize> of(Schema schema, Version version) {
    List<CollectionSize> sizes = new ArrayList<>();
    for (StateObject<?, ?> any : schema.objects()) {
      StateObject<Object, Object> object = Schema.cast(any);
      Object root = version.root(object);
      long sizeBytes;
      try {
        ByteWriter writer = new ByteWriter(leftBytes);
        sizeBytes = object.sizeBytes(root, writer);
        leftBytes -= writer.size();
      } catch (Throwable tooLargeOrOfUsers) {
        UserCode.rethrowIfFatal(tooLargeOrOfUsers);
        sizeBytes = CollectionSize.NOT_KNOWN; // A value's own code may throw, too.
      }
      sizes.add(new CollectionSize(object.toString(), object.size(root), sizeBytes));
    }
    return sizes;
  }
}

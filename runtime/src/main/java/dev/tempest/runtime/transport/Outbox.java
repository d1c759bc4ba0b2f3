package dev.tempest.runtime.transport;

import dev.tempest.values.TooLargeException;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Gathers the messages of one turn into as few datagrams as possible: per destination one begun
 * frame, sent when it is full or when the turn ends.
 *
 * <p>Not thread-safe.
 */
final class Outbox {
  private static final int SPARE_WRITERS_MAX = 64;

  /** Takes finished frames; the array is valid only during the call. */
  interface Sink {
    void datagram(Destination to, byte[] frame, int size);

    void stream(Destination to, byte[] frame, int size);
  }

  private final long cluster;
  private final long sender;
  private final int datagramMaxBytes;
  private final int frameMaxBytes;
  private final Sink sink;
  private final Counters counters;
  private final Map<Destination, ByteWriter> begun = new LinkedHashMap<>();
  private final ArrayDeque<ByteWriter> spare = new ArrayDeque<>();
  private final int headerBytes;

  Outbox(
      long cluster,
      long sender,
      int datagramMaxBytes,
      int frameMaxBytes,
      Sink sink,
      Counters counters) {
    this.cluster = cluster;
    this.sender = sender;
    this.datagramMaxBytes = datagramMaxBytes;
    this.frameMaxBytes = frameMaxBytes;
    this.sink = sink;
    this.counters = counters;
    ByteWriter empty = begin();
    this.headerBytes = empty.size();
    spare.add(empty);
  }

  /** Adds a message to the frame for {@code to}. */
  void add(Destination to, Message message) {
    ByteWriter writer = begun.get(to);
    if (writer == null) {
      writer = begin();
      begun.put(to, writer);
    }
    int before = writer.size();
    if (!append(writer, message) || writer.size() <= datagramMaxBytes) {
      return;
    }
    if (before > headerBytes) {
      writer.truncate(before);
      send(to, writer);
      writer.reset();
      FrameCodec.begin(writer, cluster, sender);
      append(writer, message);
    }
    if (writer.size() > datagramMaxBytes) {
      begun.remove(to);
      send(to, writer);
      recycle(writer);
    }
  }

  /** Sends every begun frame. */
  void flush() {
    if (begun.isEmpty()) {
      return;
    }
    begun.forEach((to, writer) -> {
      if (writer.size() > headerBytes) {
        send(to, writer);
      }
      recycle(writer);
    });
    begun.clear();
  }

  private ByteWriter begin() {
    ByteWriter writer = spare.poll();
    if (writer == null) {
      writer = new ByteWriter(frameMaxBytes);
    }
    writer.reset();
    FrameCodec.begin(writer, cluster, sender);
    return writer;
  }

  private boolean append(ByteWriter writer, Message message) {
    int before = writer.size();
    try {
      FrameCodec.add(writer, message);
      return true;
    } catch (TooLargeException tooLarge) {
      writer.truncate(before);
      counters.count(Counters.Kind.TOO_LARGE);
      return false;
    }
  }

  private void send(Destination to, ByteWriter writer) {
    FrameCodec.end(writer);
    if (writer.size() <= datagramMaxBytes) {
      sink.datagram(to, writer.array(), writer.size());
    } else {
      sink.stream(to, writer.array(), writer.size());
    }
  }

  /** Keeps a writer for later unless one large frame has made it large. */
  private void recycle(ByteWriter writer) {
    if (writer.array().length <= 4 * datagramMaxBytes && spare.size() < SPARE_WRITERS_MAX) {
      spare.add(writer);
    }
  }
}

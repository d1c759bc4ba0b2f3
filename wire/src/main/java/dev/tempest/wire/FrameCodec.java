package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Frames to bytes and back, version 2 of the layout. All numbers are big endian.
 *
 * <pre>
 * offset bytes
 *      0     2  magic, 0xD754
 *      2     1  version, 2
 *      3     1  how many later versions the sender speaks besides, 0
 *      4     4  CRC32C of all other bytes of the frame: 0..3, then 8 to the end
 *      8     8  cluster
 *     16     8  sender
 *     24        messages to the end of the frame, each:
 *                 1 byte  type
 *                 varint  length of the body
 *                         the body
 * </pre>
 *
 * The header is the same in all versions, so that processes that speak different ones can say so.
 * The bodies are listed in docs/reference/wire.md. There is one encoding of each frame: bytes that
 * are accepted are those that writing the frame again gives, but for what else the sender speaks. A
 * frame is accepted whole or refused whole; a message of an unknown type refuses its frame, since
 * the messages of a frame are in order and one must not be executed when an earlier one could not
 * be read.
 *
 * <p>A frame does not say how long it is: a datagram does, and on a stream each frame is preceded
 * by its length in 4 bytes, and has one message.
 *
 * <p>Stateless and thread-safe.
 */
public final class FrameCodec {
  /** The size of a frame without messages. */
  public static final int HEADER_BYTES = 24;

  /** How many bytes say of what kind a frame is: the type of its first message is the last one. */
  public static final int KIND_BYTES = HEADER_BYTES + 1;

  /**
   * The largest frame on a stream. Whoever reads one should let its memory grow with the bytes that
   * arrive, not with the length that was announced.
   */
  public static final int MAX_FRAME_BYTES = 256 << 20;

  private static final int MAGIC = 0xD754;
  static final int VERSION = 2;
  private static final int PREFIX = MAGIC << 16 | VERSION << 8;

  /** Magic and versions: what precedes the checksum. */
  private static final int PREFIX_BYTES = 4;

  private static final int CHECKSUM_END = 8;

  private FrameCodec() {}

  /**
   * Begins a frame: the header with a blank checksum.
   *
   * @param writer an empty one; its limit is that of the frame
   * @throws IllegalArgumentException if the writer is not empty
   * @throws dev.tempest.values.TooLargeException if its limit is below {@link #HEADER_BYTES}
   */
  public static void begin(ByteWriter writer, long cluster, long sender) {
    if (writer.size() != 0) {
      throw new IllegalArgumentException(
          "a frame begins in an empty writer; reset this one, which has " + writer.size());
    }
    writer.writeInt(PREFIX);
    writer.writeInt(0);
    writer.writeLong(cluster);
    writer.writeLong(sender);
  }

  /**
   * Adds a message to a begun frame, or leaves the frame as it was if it throws.
   *
   * @throws dev.tempest.values.TooLargeException if the message does not fit the writer's limit
   * @throws IllegalArgumentException if the message says what no reader accepts, such as a negative
   *     count: a mistake of the program
   */
  public static void add(ByteWriter writer, Message message) {
    int start = writer.size();
    boolean added = false;
    try {
      switch (message) {
        case Message.RequestMessage request -> RequestCodec.write(writer, request);
        case Message.ReplicaMessage replica -> ReplicaCodec.write(writer, replica);
        case Message.MemberMessage member -> MemberCodec.write(writer, member);
        case Message.AddressMessage address -> AddressCodec.write(writer, address);
        case Message.ToolMessage tool -> ToolCodec.write(writer, tool);
      }
      writer.insertVarint(start + 1, writer.size() - start - 1);
      added = true;
    } finally {
      if (!added) {
        writer.truncate(start);
      }
    }
  }

  /** Ends a frame: fills in the checksum. What the writer has written is now the frame. */
  public static void end(ByteWriter writer) {
    CRC32C checksum = new CRC32C();
    checksum.update(writer.array(), 0, PREFIX_BYTES);
    checksum.update(writer.array(), CHECKSUM_END, writer.size() - CHECKSUM_END);
    writer.overwriteInt(PREFIX_BYTES, (int) checksum.getValue());
  }

  /**
   * Reads one whole frame, from where the reader is to its end.
   *
   * @throws MalformedException if the bytes are not exactly one frame
   */
  public static Frame read(ByteReader reader) {
    return read(reader, FrameCodec::readMessages);
  }

  /**
   * As above, of a frame that has one message, as on streams. Only what is too large for a datagram
   * goes there, each for itself: many small messages would take many times their bytes in memory.
   */
  public static Frame readSingle(ByteReader reader) {
    return read(reader, bytes -> List.of(readMessage(bytes, 0)));
  }

  private static Frame read(ByteReader reader, Function<ByteReader, List<Message>> messages) {
    int prefix = readPrefix(reader);
    if (version(prefix) != VERSION) {
      throw new MalformedException("a frame of version " + version(prefix) + ", not " + VERSION);
    }
    long cluster = reader.readLong();
    long sender = reader.readLong();
    return new Frame(cluster, sender, messages.apply(reader));
  }

  /**
   * Whether a frame has a request, or is one that only its header is read of.
   *
   * @param begun its first {@link #KIND_BYTES} at least
   */
  public static boolean isRequest(byte[] begun) {
    return isForeign(begun)
        || switch (type(begun)) {
          case MessageType.UPDATE, MessageType.READ, MessageType.SEEN_READ -> true;
          default -> false;
        };
  }

  /** Whether a frame may have lists, which take more memory than their bytes; as above. */
  public static boolean hasLists(byte[] begun) {
    return !isForeign(begun)
        && switch (type(begun)) {
          case MessageType.UPDATE, MessageType.READ, MessageType.CONTENTS_REQUEST -> false;
          default -> true;
        };
  }

  private static int type(byte[] begun) {
    return begun[HEADER_BYTES] & 0xFF;
  }

  private static boolean isForeign(byte[] begun) {
    return (begun[Short.BYTES] & 0xFF) != VERSION;
  }

  /**
   * Reads the header of a whole frame in a version that this code does not speak.
   *
   * @return null if the bytes are not exactly one such frame
   */
  public static @Nullable ForeignFrame readForeign(ByteReader reader) {
    try {
      int prefix = readPrefix(reader);
      int version = version(prefix);
      long cluster = reader.readLong();
      reader.readLong(); // The sender.
      return version == VERSION
          ? null
          : new ForeignFrame(
              cluster, new Versions(version, version + (prefix & 0xFF)), reader.remaining() == 0);
    } catch (MalformedException noFrame) {
      return null;
    }
  }

  /** Reads what precedes the cluster, and whether all bytes are those that were sent. */
  private static int readPrefix(ByteReader reader) {
    CRC32C checksum = new CRC32C();
    reader.feedTo(checksum, PREFIX_BYTES);
    int prefix = reader.readInt();
    if (prefix >>> 16 != MAGIC) {
      throw new MalformedException(
          "not a frame: it begins with " + Integer.toHexString(prefix >>> 16));
    }
    int expected = reader.readInt();
    reader.feedTo(checksum, reader.remaining());
    if ((int) checksum.getValue() != expected) {
      throw new MalformedException("the checksum of a frame does not match its bytes");
    }
    return prefix;
  }

  private static int version(int prefix) {
    return prefix >>> 8 & 0xFF;
  }

  private static List<Message> readMessages(ByteReader reader) {
    if (reader.remaining() == 0) {
      return List.of();
    }
    Message first = readMessage(reader, reader.remaining());
    if (reader.remaining() == 0) {
      return List.of(first);
    }
    List<Message> messages = new ArrayList<>();
    messages.add(first);
    while (reader.remaining() > 0) {
      messages.add(readMessage(reader, reader.remaining()));
    }
    return Collections.unmodifiableList(messages);
  }

  /** Leaves at most so many bytes. */
  private static Message readMessage(ByteReader reader, int leftMax) {
    int type = reader.readByte();
    try {
      int length = reader.readVarint(reader.remaining());
      int left = reader.remaining() - length;
      if (left > leftMax) {
        throw new MalformedException("a frame of a stream has one message, and nothing after it");
      }
      Message message = readBody(type, reader);
      if (reader.remaining() != left) {
        throw new MalformedException("the body is not as long as it says");
      }
      return message;
    } catch (MalformedException malformed) {
      throw new MalformedException(
          "message of type 0x" + Integer.toHexString(type) + ": " + malformed.getMessage());
    }
  }

  private static Message readBody(int type, ByteReader reader) {
    return switch (type) {
      case MessageType.UPDATE -> RequestCodec.readUpdate(reader);
      case MessageType.READ -> RequestCodec.readRead(reader);
      case MessageType.REPLY -> RequestCodec.readReply(reader);
      case MessageType.SEEN_READ -> RequestCodec.readSeenRead(reader);
      case MessageType.SEEN_REPLY -> RequestCodec.readSeenReply(reader);
      case MessageType.BEACON -> RequestCodec.readBeacon(reader);
      case MessageType.BEACON_ANSWER -> RequestCodec.readBeaconAnswer(reader);
      case MessageType.DIGEST -> ReplicaCodec.readDigest(reader);
      case MessageType.HAVE -> ReplicaCodec.readHave(reader);
      case MessageType.WANT -> ReplicaCodec.readWant(reader);
      case MessageType.REPAIR -> ReplicaCodec.readRepair(reader);
      case MessageType.STATE_SUMMARY -> ReplicaCodec.readStateSummary(reader);
      case MessageType.ACK_REQUEST -> ReplicaCodec.readAckRequest(reader);
      case MessageType.ACK -> ReplicaCodec.readAck(reader);
      case MessageType.STATE_REQUEST -> ReplicaCodec.readStateRequest(reader);
      case MessageType.STATE_UNAVAILABLE -> ReplicaCodec.readStateUnavailable(reader);
      case MessageType.STATE_OFFER -> StateCodec.readOffer(reader);
      case MessageType.PIECE_REQUEST -> StateCodec.readPieceRequest(reader);
      case MessageType.STATE_PIECE -> StateCodec.readPiece(reader);
      case MessageType.PIECE_UNAVAILABLE -> StateCodec.readUnavailable(reader);
      case MessageType.PROBE -> MemberCodec.readProbe(reader);
      case MessageType.ROSTER -> MemberCodec.readRoster(reader);
      case MessageType.HOSTING_REQUEST -> new Message.HostingRequest();
      case MessageType.HOSTING -> MemberCodec.readHosting(reader);
      case MessageType.ADDRESS_CHALLENGE -> AddressCodec.readChallenge(reader);
      case MessageType.ADDRESS_PROOF -> AddressCodec.readProof(reader);
      case MessageType.STATUS_REQUEST -> ToolCodec.readStatusRequest(reader);
      case MessageType.STATUS -> ToolCodec.readStatus(reader);
      case MessageType.DESCRIBE_REQUEST -> ToolCodec.readDescribeRequest(reader);
      case MessageType.CONTENTS_REQUEST -> ToolCodec.readContentsRequest(reader);
      case MessageType.CONTENTS -> ToolCodec.readContents(reader);
      case MessageType.DESCRIPTION -> ToolCodec.readDescription(reader);
      default -> {
        if (type < MessageType.PRE_VOTE || type > MessageType.VOTED_PROMISE) {
          throw new MalformedException("no such type");
        }
        yield LogCodec.read(type, reader);
      }
    };
  }
}

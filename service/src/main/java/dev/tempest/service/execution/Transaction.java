package dev.tempest.service.execution;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.values.encoding.StableHash;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several calls on one service that count together or not at all (Zhang, chapter VI: T-Paxos).
 *
 * <p>No server keeps it between its calls: each of them carries those before it with what their
 * client was told. A server executes all of them on one version, and goes on if each comes to the
 * same again. So a client never sees two states in one transaction, and one that commits is as if
 * it had run then as a whole: it is serializable. The calls before the last one run again each
 * time; that takes less than the way to the server.
 *
 * <p>It travels as the arguments of a call, under numbers that no method has.
 *
 * @param beganMillis what its actions take for the time, milliseconds since 1970; {@link #NOT_YET}
 *     if no server has said
 * @param seed of the randomness that its actions see
 * @param told the calls that were answered, in order
 * @param next the call to answer; null to commit
 */
public record Transaction(long beganMillis, long seed, List<Told> told, @Nullable Step next) {
  /**
   * A read: what {@code next} comes to on all that was answered before; {@code reads} is no matter.
   * Without a next one, whether what was answered holds still: all of one that only reads.
   */
  public static final int ASK = StableHash.ofName("transaction: ask");

  /** A read: the same on whatever the server has, which may be old. */
  public static final int ASK_NEAR = StableHash.ofName("transaction: ask near");

  /** An update: all of it counts, if it still comes to what was told. */
  public static final int COMMIT = StableHash.ofName("transaction: commit");

  /** So many calls at most: all run again with each. */
  public static final int CALLS_MAX = 256;

  /** Before a server has executed any of it. */
  public static final long NOT_YET = 0;

  /**
   * So far its time may be from that of who executes: clocks differ, and clients take their time.
   */
  public static final Duration OFF_MAX = Duration.ofSeconds(5);

  private static final int DIGEST_BYTES = 32;

  /** A call of one of the service's methods, by its number. */
  public record Step(int method, Bytes arguments) {}

  /**
   * A call, and what its client was told.
   *
   * @param outcome as {@link #digest} gives it, at most 32 bytes
   */
  public record Told(Step step, Bytes outcome) {}

  /** What a server says to it. */
  public sealed interface Reply {
    /**
     * What was told does not hold any more, or it began too long ago: begin again.
     *
     * @param millis the time by the order, to begin with; {@link #NOT_YET} if a read has found out
     */
    record Stale(long millis) implements Reply {}

    /** All of it counts, or holds. */
    record Committed() implements Reply {}

    /**
     * What the next call came to.
     *
     * @param beganMillis for the calls that follow
     * @param outcome how the method ended: it returned or threw
     */
    record Answered(long beganMillis, Result outcome) implements Reply {}
  }

  /** Keeps a copy. */
  public Transaction {
    told = List.copyOf(told);
  }

  static boolean isReserved(int method) {
    return method == ASK || method == ASK_NEAR || method == COMMIT;
  }

  /** The time that its actions see. */
  long millis(long nowMillis) {
    return beganMillis == NOT_YET ? nowMillis : beganMillis;
  }

  /** Whether that is too far from the time by the order to count. */
  boolean isOff(long nowMillis) {
    return Math.abs(nowMillis - millis(nowMillis)) > OFF_MAX.toMillis();
  }

  /**
   * What stands for an outcome: the same for the same. The text of an exception counts if the
   * method declares that; Java makes some of the others.
   */
  public static Bytes digest(ServiceMethod method, Result outcome) {
    return switch (outcome) {
      case Result.Returned(Bytes value) when value.size() < DIGEST_BYTES -> value;
      case Result.Returned(Bytes value) -> sha256(0, value.toArray());
      case Result.Threw(String className, String message) -> {
        ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
        writer.writeString(className);
        writer.writeString(method.exceptions().declares(className) ? message : "");
        yield sha256(1, writer.toBytes().toArray());
      }
      case Result.UnknownMethod other -> throw new IllegalArgumentException("not run: " + other);
      case Result.Unreadable other -> throw new IllegalArgumentException("not run: " + other);
      case Result.BadArguments other -> throw new IllegalArgumentException("not run: " + other);
    };
  }

  private static Bytes sha256(int kind, byte[] bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update((byte) kind);
      return Bytes.of(digest.digest(bytes));
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new IllegalStateException(everyJavaHasIt);
    }
  }

  /**
   * As arguments of a call.
   *
   * @throws dev.tempest.values.TooLargeException if they exceed what a request may have
   */
  public Bytes encode() {
    ByteWriter writer = new ByteWriter(ServiceMethod.CONTENT_MAX_BYTES);
    writer.writeVarint(beganMillis);
    writer.writeLong(seed);
    writer.writeVarint(told.size());
    for (Told each : told) {
      write(each.step(), writer);
      writer.writeBytes(each.outcome());
    }
    writer.writeBoolean(next != null);
    if (next != null) {
      write(next, writer);
    }
    return writer.toBytes();
  }

  private static void write(Step step, ByteWriter writer) {
    writer.writeInt(step.method());
    writer.writeBytes(step.arguments());
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws MalformedException if it is none
   */
  static Transaction read(Bytes bytes) {
    ByteReader reader = bytes.reader();
    long beganMillis = reader.readVarint();
    if (beganMillis < 0) {
      throw new MalformedException("a transaction that began before 1970");
    }
    long seed = reader.readLong();
    int count = reader.readCount(Integer.BYTES + 2, CALLS_MAX);
    List<Told> told = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      told.add(new Told(readStep(reader), reader.readBytes()));
    }
    Step next = reader.readBoolean() ? readStep(reader) : null;
    reader.expectEnd();
    return new Transaction(beganMillis, seed, told, next);
  }

  private static Step readStep(ByteReader reader) {
    return new Step(reader.readInt(), reader.readBytes());
  }

  /** What a server says, as the result of a call. */
  static Bytes encode(Reply reply) {
    ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
    switch (reply) {
      case Reply.Stale(long millis) -> {
        writer.writeByte(0);
        writer.writeVarint(millis);
      }
      case Reply.Committed committed -> writer.writeByte(1);
      case Reply.Answered(long millis, Result.Threw(String className, String message)) -> {
        writer.writeByte(2);
        writer.writeVarint(millis);
        writer.writeString(className);
        writer.writeString(message);
      }
      case Reply.Answered(long millis, Result.Returned(Bytes value)) -> {
        writer.writeByte(3);
        writer.writeVarint(millis);
        writer.writeBytes(value);
      }
      case Reply.Answered other -> throw new IllegalArgumentException("not run: " + other);
    }
    return writer.toBytes();
  }

  /**
   * Reads what a server said.
   *
   * @throws MalformedException if it is nothing of that kind
   */
  public static Reply readReply(Bytes bytes) {
    ByteReader reader = bytes.reader();
    int kind = reader.readByte();
    Reply reply =
        switch (kind) {
          case 0 -> new Reply.Stale(reader.readVarint());
          case 1 -> new Reply.Committed();
          case 2 ->
              new Reply.Answered(
                  reader.readVarint(), new Result.Threw(reader.readString(), reader.readString()));
          case 3 ->
              new Reply.Answered(reader.readVarint(), new Result.Returned(reader.readBytes()));
          default -> throw new MalformedException("unknown reply to a transaction: " + kind);
        };
    reader.expectEnd();
    return reply;
  }
}

package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Answer.Reason;

/** An answer: one byte that says which, then what it has. */
final class AnswerCodec {
  /** The least that {@link #write} writes. */
  static final int SIZE_MIN_BYTES = 2;

  private static final int RETURNED = 0;
  private static final int THREW = 1;
  private static final int REFUSED = 2;

  private AnswerCodec() {}

  static void write(ByteWriter writer, Answer answer) {
    switch (answer) {
      case Answer.Returned returned -> {
        writer.writeByte(RETURNED);
        writer.writeBytes(returned.result());
      }
      case Answer.Threw threw -> {
        writer.writeByte(THREW);
        Fields.writeText(writer, threw.className());
        Fields.writeText(writer, threw.message());
      }
      case Answer.Refused refused -> {
        writer.writeByte(REFUSED);
        writer.writeByte(number(refused.reason()));
        Fields.writeText(writer, refused.detail());
      }
    }
  }

  static Answer read(ByteReader reader) {
    int which = reader.readByte();
    return switch (which) {
      case RETURNED -> new Answer.Returned(reader.readBytes());
      case THREW -> {
        String className = Fields.readText(reader);
        yield new Answer.Threw(className, Fields.readText(reader));
      }
      case REFUSED -> {
        Reason reason = reason(reader.readByte());
        yield new Answer.Refused(reason, Fields.readText(reader));
      }
      default -> throw new MalformedException("no answer has the number " + which);
    };
  }

  private static int number(Reason reason) {
    return switch (reason) {
      case UNKNOWN_SERVICE -> 0;
      case UNKNOWN_METHOD -> 1;
      case BAD_ARGUMENTS -> 2;
      case JOINING -> 3;
      case STAMP_EXPIRED -> 4;
      case STAMP_AHEAD -> 5;
      case RESULT_FORGOTTEN -> 6;
      case OVERLOADED -> 7;
      case BEHIND -> 8;
      case SUSPENDED -> 9;
      case STOPPED -> 10;
    };
  }

  private static Reason reason(int number) {
    return switch (number) {
      case 0 -> Reason.UNKNOWN_SERVICE;
      case 1 -> Reason.UNKNOWN_METHOD;
      case 2 -> Reason.BAD_ARGUMENTS;
      case 3 -> Reason.JOINING;
      case 4 -> Reason.STAMP_EXPIRED;
      case 5 -> Reason.STAMP_AHEAD;
      case 6 -> Reason.RESULT_FORGOTTEN;
      case 7 -> Reason.OVERLOADED;
      case 8 -> Reason.BEHIND;
      case 9 -> Reason.SUSPENDED;
      case 10 -> Reason.STOPPED;
      default -> throw new MalformedException("no reason has the number " + number);
    };
  }
}

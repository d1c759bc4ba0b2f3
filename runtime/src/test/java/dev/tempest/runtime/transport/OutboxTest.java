package dev.tempest.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OutboxTest implements Outbox.Sink {
  private static final int DATAGRAM_MAX_BYTES = 1_000;
  private static final int FRAME_MAX_BYTES = 20_000;
  private static final Destination HERE = destination(1);
  private static final Destination THERE = destination(2);

  private record Sent(Destination to, boolean stream, int size, List<Message> messages) {}

  private final List<Sent> sent = new ArrayList<>();
  private final Counters counters = new Counters();
  private final Outbox outbox =
      new Outbox(7, 8, DATAGRAM_MAX_BYTES, FRAME_MAX_BYTES, this, counters);

  @Override
  public void datagram(Destination to, byte[] frame, int size) {
    record(to, false, frame, size);
  }

  @Override
  public void stream(Destination to, byte[] frame, int size) {
    record(to, true, frame, size);
  }

  @Test
  void messagesOfOneTurnToOneDestinationShareADatagram() {
    outbox.add(HERE, message(1, 10));
    outbox.add(THERE, message(2, 10));
    outbox.add(HERE, message(3, 10));
    outbox.flush();
    outbox.flush();

    assertThat(sent).extracting(Sent::to).containsExactly(HERE, THERE);
    assertThat(sent.get(0).messages()).containsExactly(message(1, 10), message(3, 10));
    assertThat(sent.get(1).messages()).containsExactly(message(2, 10));
  }

  @Test
  void aFullDatagramIsSentAndTheNextBegun() {
    for (int i = 1; i <= 100; i++) {
      outbox.add(HERE, message(i, 100));
    }
    outbox.flush();

    assertThat(sent).allSatisfy(each -> assertThat(each.size()).isLessThan(1_001));
    assertThat(sent).hasSizeLessThan(20).noneMatch(Sent::stream);
    assertThat(sequences(HERE)).containsExactlyElementsOf(upTo(100));
  }

  @Test
  void whatDoesNotFitADatagramGoesByStreamAndTheRestDoesNot() {
    outbox.add(HERE, message(1, 100));
    outbox.add(HERE, message(2, 5_000));
    outbox.add(HERE, message(3, 100));
    outbox.flush();

    assertThat(sent).extracting(Sent::stream).containsExactly(false, true, false);
    assertThat(sequences(HERE)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void whatDoesNotFitAStreamIsCountedAndTheRestIsSent() {
    outbox.add(HERE, message(1, 100));
    outbox.add(HERE, message(2, FRAME_MAX_BYTES));
    outbox.add(HERE, message(3, 100));
    outbox.add(THERE, message(4, FRAME_MAX_BYTES));
    outbox.flush();

    assertThat(sequences(HERE)).containsExactly(1L, 3L);
    assertThat(sequences(THERE)).isEmpty();
    assertThat(counters.get(Counters.Kind.TOO_LARGE)).isEqualTo(2);
  }

  @Test
  void whateverTheSizesNothingIsLostOrReordered() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    List<Long> here = new ArrayList<>();
    List<Long> there = new ArrayList<>();
    for (long i = 1; i <= 2_000; i++) {
      boolean first = random.nextBoolean();
      int size = random.nextInt(10) == 0 ? random.nextInt(3_000) : random.nextInt(300);
      outbox.add(first ? HERE : THERE, message(i, size));
      (first ? here : there).add(i);
      if (random.nextInt(20) == 0) {
        outbox.flush();
      }
    }
    outbox.flush();

    assertThat(sequences(HERE)).describedAs("seed %d", seed).isEqualTo(here);
    assertThat(sequences(THERE)).describedAs("seed %d", seed).isEqualTo(there);
    assertThat(sent)
        .describedAs("seed %d", seed)
        .allSatisfy(each -> assertThat(each.stream()).isEqualTo(each.size() > DATAGRAM_MAX_BYTES));
  }

  private void record(Destination to, boolean stream, byte[] frame, int size) {
    byte[] copy = Arrays.copyOf(frame, size);
    sent.add(new Sent(to, stream, size, FrameCodec.read(new ByteReader(copy, 0, size)).messages()));
  }

  private List<Long> sequences(Destination to) {
    List<Long> sequences = new ArrayList<>();
    for (Sent each : sent) {
      if (each.to().equals(to)) {
        each.messages().forEach(m -> sequences.add(((Message.Read) m).id().sequence()));
      }
    }
    return sequences;
  }

  private static List<Long> upTo(int last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  private static Message message(long sequence, int size) {
    return new Message.Read(5, new RequestId(6, sequence), new Call(0, Bytes.of(new byte[size])));
  }

  private static Destination destination(int port) {
    return new Destination.Unicast(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }
}

package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.Message.SeenRead;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByTime;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ReadBacklogTest {
  private static final PeerAddress CLIENT = PeerAddress.all("127.0.0.1:9").getFirst();

  private final ReadBacklog reads = new ReadBacklog();

  @Test
  void theNewestComesFirst() {
    reads.add(CLIENT, read(1, 0), 0);
    reads.add(CLIENT, read(2, 0), 0);
    assertThat(next()).isEqualTo(2);
    assertThat(next()).isEqualTo(1);
    assertThat(reads.take()).isNull();
  }

  @Test
  void aReadThatIsAskedAgainTakesItsEarlierPlace() {
    assertThat(reads.add(CLIENT, read(1, (int) ReadBacklog.BYTES_MAX), 0)).isZero();
    assertThat(reads.add(CLIENT, read(1, (int) ReadBacklog.BYTES_MAX), 0)).isZero();
    assertThat(reads.size()).isEqualTo(1);
    assertThat(next()).isEqualTo(1);
    assertThat(reads.take()).isNull();
    assertThat(reads.add(CLIENT, read(1, 0), 0)).as("the room is free again").isZero();
  }

  @Test
  void ofTooManyTheOldestGo() {
    for (int sequence = 1; sequence <= ReadBacklog.COUNT_MAX; sequence++) {
      assertThat(reads.add(CLIENT, read(sequence, 0), 0)).isZero();
    }
    assertThat(reads.add(CLIENT, read(ReadBacklog.COUNT_MAX + 1, 0), 0)).isEqualTo(1);
    assertThat(reads.size()).isEqualTo(ReadBacklog.COUNT_MAX);
    for (int sequence = ReadBacklog.COUNT_MAX + 1; sequence > 1; sequence--) {
      assertThat(next()).isEqualTo(sequence);
    }
    assertThat(reads.take()).isNull();
  }

  @Test
  void ofTooLargeOnesTheOldestGo() {
    int half = (int) ReadBacklog.BYTES_MAX / 2;
    assertThat(reads.add(CLIENT, read(1, half), 0)).isZero();
    assertThat(reads.add(CLIENT, read(2, half), 0)).isZero();
    assertThat(reads.add(CLIENT, read(3, 1), 0)).isEqualTo(1);
    assertThat(next()).isEqualTo(3);
    assertThat(next()).isEqualTo(2);
    assertThat(reads.add(CLIENT, read(4, 2 * half), 0)).isZero();
    assertThat(reads.add(CLIENT, read(5, 2 * half), 0)).isEqualTo(1);
    assertThat(next()).isEqualTo(5);
  }

  @Test
  void whatClientsHaveSeenTakesRoomToo() {
    List<SeenByTime.OfClient> clients =
        LongStream.range(0, SeenByTime.CLIENTS_MAX)
            .mapToObj(client -> new SeenByTime.OfClient(client, 1, IntervalSet.of(1, 1)))
            .toList();
    Seen much = new SeenByTime(SeenByTime.NOTHING.settled(), 1, clients);
    int gone = 0;
    for (int sequence = 1; sequence <= ReadBacklog.BYTES_MAX >> 14; sequence++) {
      gone += reads.add(CLIENT, new SeenRead(read(sequence, 0), much), 0);
    }
    assertThat(gone).isPositive();
  }

  private long next() {
    var next = reads.take();
    return next != null && next.request() instanceof Read read ? read.id().sequence() : 0;
  }

  private static Read read(long sequence, int size) {
    return new Read(5, new RequestId(6, sequence), new Call(0, Bytes.of(new byte[size])));
  }
}

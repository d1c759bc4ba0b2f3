package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Entry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas have the same requests in an epoch, more than one repair has room for. */
final class SweepTest {
  private static final long CLIENT = 9;
  private static final int ENTRIES = 20;

  private final Cluster cluster = Cluster.repairing(2, 3);

  /** Which one has another stamp cannot be seen from their names. */
  @ParameterizedTest
  @ValueSource(ints = {1, 11, ENTRIES})
  void allAreRepairedInTurn(int other) {
    for (int sequence = 1; sequence <= ENTRIES; sequence++) {
      Entry entry = cluster.entry(CLIENT, sequence, cluster.call("add", "x", 1));
      long stamp = sequence == other ? entry.stamp() + 1 : entry.stamp();
      cluster.update(entry, 1);
      cluster.update(new Entry(entry.id(), stamp, entry.body()), 2);
    }
    cluster.pass(10_000);
    assertThat(cluster.replica(1).settled().count()).isEqualTo(ENTRIES);
    assertThat(cluster.replica(2).settled().hash()).isEqualTo(cluster.replica(1).settled().hash());
  }
}

package dev.tempest.protocol.order.time;

import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Snapshot;

/** The state that a snapshot is of: what had settled, and then what had not, in order. */
public final class SnapshotState {
  private SnapshotState() {}

  /** The state, without what had expired by the latest entry. */
  public static Version of(ServiceInstance service, Snapshot snapshot) {
    Replay replay = new Replay(service, Epochs.USUAL.lengthMillis());
    Version version = service.readVersion(snapshot.version().reader());
    for (Entry entry : snapshot.unsettled()) {
      version = replay.execution(replay.begin(replay.epochOf(entry), version), entry).after();
    }
    return version;
  }
}

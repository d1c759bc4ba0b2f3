package dev.tempest.cli;

import dev.tempest.protocol.order.time.Stamp;
import dev.tempest.service.Execution;
import dev.tempest.service.ServiceInstance;
import dev.tempest.state.Version;
import dev.tempest.values.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Executed;
import dev.tempest.wire.Message.Snapshot;
import java.util.Map;

/** What a replica has, made of a snapshot. */
final class ReplicaContents {
  private ReplicaContents() {}

  /** The state objects by name: what is settled, then what is not settled yet, in order. */
  static Map<String, Object> of(Class<?> implementation, Snapshot snapshot) {
    ServiceInstance service = ServiceInstance.of(implementation);
    Version version = service.readVersion(snapshot.version().reader());
    for (Entry entry : snapshot.unsettled()) {
      long millis = Stamp.millis(entry.stamp());
      Execution execution =
          switch (entry.body()) {
            case Call(int method, Bytes arguments) ->
                service.update(version, method, arguments, millis, entry.id().sequence());
            case Change(Bytes writes) -> service.apply(version, writes, millis);
            case Executed executed -> service.apply(version, executed.writes(), millis);
          };
      version = execution.after();
    }
    return service.contents(version);
  }
}

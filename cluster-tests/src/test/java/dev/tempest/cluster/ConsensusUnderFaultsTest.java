package dev.tempest.cluster;

import dev.tempest.config.CheckpointConfig.Log;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Services by consensus; the clients are in a process of their own, and lose none of it. */
class ConsensusUnderFaultsTest extends HistoriesUnderFaults {
  private @Nullable HostProcess client;

  @Override
  public HostProcess start(Network network, int host) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(String.valueOf(LOST_PERCENT));
    arguments.add(log().name());
    arguments.add(ADDRESSES.get(host - 1));
    arguments.addAll(ADDRESSES);
    return start(network, host, ConsensusServer.class, arguments);
  }

  /** Where the servers have their logs. */
  Log log() {
    return Log.MEMORY;
  }

  @Override
  public void started(HostProcess server) {
    // Clients find it.
  }

  @Override
  final List<HostProcess> clients(Network network, Blows blows) throws Exception {
    if (client == null) {
      List<String> arguments = new ArrayList<>(another());
      arguments.addAll(ADDRESSES);
      client = start(network, CLIENT_HOST, HistoryClient.class, arguments);
      client.awaitReady();
      client.ask("begin");
    }
    return List.of(client);
  }
}

package dev.tempest.cluster;

import dev.tempest.config.ServiceOptions.Reads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Linearizable collections; the clients are in the processes of the nodes, and die with them. */
final class CollectionsUnderFaultsTest extends HistoriesUnderFaults {
  private final Reads reads = ConsensusServer.Terms.reads(new Random(seed));

  @Override
  public HostProcess start(Network network, int host) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(String.valueOf(LOST_PERCENT));
    arguments.addAll(another());
    arguments.add(reads.name());
    arguments.add(ADDRESSES.get(host - 1));
    arguments.addAll(ADDRESSES);
    return start(network, host, LinearizableNode.class, arguments);
  }

  @Override
  public void started(HostProcess node) throws Exception {
    node.ask("begin");
  }

  @Override
  String hosted() {
    return "linearizable collections with reads " + reads;
  }

  @Override
  List<HostProcess> clients(Network network, Blows blows) {
    return blows.servers();
  }
}

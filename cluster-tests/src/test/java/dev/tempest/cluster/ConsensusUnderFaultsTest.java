package dev.tempest.cluster;

import dev.tempest.config.CheckpointConfig.Log;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Services by consensus, each as the seed hosts it; the clients are in a process of their own, and
 * lose none of it.
 */
class ConsensusUnderFaultsTest extends HistoriesUnderFaults {
  private static final int SERVICES = 4;

  private final List<ConsensusServer.Terms> terms = terms(new Random(seed));

  @Nullable HostProcess client;

  @Override
  public HostProcess start(Network network, int host) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(String.valueOf(LOST_PERCENT));
    arguments.add(log().name());
    terms.forEach(each -> arguments.add(each.toString()));
    arguments.add(ADDRESSES.get(host - 1));
    arguments.addAll(ADDRESSES);
    return start(network, host, ConsensusServer.class, arguments);
  }

  private List<ConsensusServer.Terms> terms(Random random) {
    return Stream.generate(() -> drawTerms(random)).limit(SERVICES).toList();
  }

  /** How one of the services is hosted. */
  ConsensusServer.Terms drawTerms(Random random) {
    boolean mayVote = log() == Log.MEMORY;
    return mayVote && random.nextInt(SERVICES) == 0
        ? ConsensusServer.Terms.BY_VOTES
        : ConsensusServer.Terms.any(random);
  }

  @Override
  final String hosted() {
    return "services by " + terms;
  }

  /** Whether each server has a copy of the state. */
  boolean eachAnswers() {
    return true;
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
      arguments.add(String.valueOf(eachAnswers()));
      arguments.addAll(ADDRESSES);
      client = start(network, CLIENT_HOST, HistoryClient.class, arguments);
      client.awaitReady();
      client.ask("begin");
    }
    return List.of(client);
  }
}

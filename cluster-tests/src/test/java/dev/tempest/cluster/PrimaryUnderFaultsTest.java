package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;

import java.util.Objects;
import java.util.Random;

/** Services that a primary and a backup keep, of three servers. */
final class PrimaryUnderFaultsTest extends ConsensusUnderFaultsTest {
  @Override
  ConsensusServer.Terms drawTerms(Random random) {
    return ConsensusServer.Terms.byPrimary(random);
  }

  @Override
  boolean eachAnswers() {
    return false;
  }

  /** If the only copy is killed, its state is lost: all wait for it to come back. */
  @Override
  public void awaitCopies() {
    HostProcess asking = Objects.requireNonNull(client);
    eventually(
        "a backup of each service",
        () -> Boolean.parseBoolean(asking.ask("backups")),
        () -> "one without");
  }
}

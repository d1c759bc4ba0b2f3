package dev.tempest.cluster;

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
}

package dev.tempest.config;

import java.util.Collection;

/** What servers vote for is in their memory. */
final class FastBallots {
  private FastBallots() {}

  /**
   * Refuses services with fast ballots at a node whose logs are stored.
   *
   * @throws ConfigException if there is one
   */
  static void refuse(Collection<ServiceConfig> services, CheckpointConfig.Log where) {
    for (ServiceConfig service : services) {
      boolean isFast = service.options().ballots() == ServiceOptions.Ballots.FAST;
      if (isFast && where != CheckpointConfig.Log.MEMORY) {
        throw new ConfigException(
            service.where(),
            "service '" + service.name() + "' has fast ballots, and logs are stored",
            "leave ballots out, or write log: memory");
      }
    }
  }
}

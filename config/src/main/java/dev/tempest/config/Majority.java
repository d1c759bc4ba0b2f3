package dev.tempest.config;

import java.util.Collection;
import java.util.Map;

/** What is linearizable needs a majority of the members, and so a list of them. */
final class Majority {
  private Majority() {}

  /**
   * Refuses what is linearizable at a node that has no list of members.
   *
   * @throws IllegalArgumentException if it is a collection
   * @throws ConfigException if it is a service
   */
  static void refuse(
      Map<String, CollectionConfig> collections, Collection<ServiceConfig> services) {
    collections.forEach((pattern, config) -> {
      if (config.isLinearizable()) {
        throw new IllegalArgumentException(
            "collection '"
                + pattern
                + "' is linearizable, and no members are listed: list the addresses of all nodes"
                + " under members");
      }
    });
    for (ServiceConfig service : services) {
      if (service.options().needsMembers()) {
        throw new ConfigException(
            service.where(),
            "service '" + service.name() + "' is linearizable, and no members are listed",
            "list the addresses of all its servers under members");
      }
    }
  }
}

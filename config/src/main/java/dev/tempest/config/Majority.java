package dev.tempest.config;

import java.util.Collection;
import java.util.Map;

/** What is linearizable needs a majority of the members, and so a list of them. */
final class Majority {
  /** With fewer there is no majority any more that chooses a primary, once one has ended. */
  private static final int MEMBERS_WITH_PRIMARY = 3;

  private Majority() {}

  /**
   * Refuses what is kept by a primary at a node whose list of members is too short for that.
   *
   * @param members how many are listed
   * @throws ConfigException if there is such a service
   */
  static void refuseForPrimary(int members, Collection<ServiceConfig> services) {
    for (ServiceConfig service : services) {
      boolean hasPrimary = service.options().consistency() == Consistency.PRIMARY_BACKUP;
      if (hasPrimary && members < MEMBERS_WITH_PRIMARY) {
        throw new ConfigException(
            service.where(),
            "service '"
                + service.name()
                + "' is kept by a primary, which a majority of the members chooses",
            "list three or more under members");
      }
    }
  }

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

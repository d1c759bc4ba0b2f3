package dev.tempest.runtime.node;

import dev.tempest.config.ServiceConfig;
import dev.tempest.protocol.membership.Members;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The names and interfaces of the services that a process hosts. Any thread may use it. */
final class HostedNames {
  private final SortedMap<String, Class<?>> hosted = new TreeMap<>();

  /** Those of services that were ever linearizable here, whether hosted still or not. */
  private final Set<String> linearizable = new HashSet<>();

  /**
   * Gives a name to one of those that are hosted at the same time.
   *
   * @throws IllegalArgumentException if it is taken, or there are too many
   * @throws IllegalStateException if it was linearizable here before: who forgets what it promised,
   *     and goes on under the same id, breaks the agreement
   */
  synchronized void take(String name, Class<?> api, boolean isLinearizable) {
    if (hosted.size() + 1 >= Members.SERVICES_MAX) { // The collections count, too.
      throw new IllegalArgumentException(
          "this process hosts " + hosted.size() + " services already: no more fit");
    }
    if (hosted.containsKey(name)) {
      throw new IllegalArgumentException(
          "this process already hosts a service '" + name + "': choose another name");
    }
    if (isLinearizable && !linearizable.add(name)) {
      throw new IllegalStateException(
          ("this process has hosted the linearizable service '%s' before, and has forgotten what it"
                  + " promised the others: start it again")
              .formatted(name));
    }
    hosted.put(name, api);
  }

  /** A service that took its name just now was not hosted after all. */
  synchronized void giveBack(String name) {
    hosted.remove(name);
    linearizable.remove(name);
  }

  /** Those that applications know, by name. */
  synchronized SortedMap<String, Class<?>> services() {
    SortedMap<String, Class<?>> services = new TreeMap<>(hosted);
    services.keySet().removeIf(ServiceConfig::isReserved);
    return services;
  }

  /** A service is hosted no more. */
  synchronized void free(String name) {
    hosted.remove(name);
  }
}

package dev.tempest.cli;

import dev.tempest.admin.Admin;
import dev.tempest.examples.petstore.Order;
import dev.tempest.examples.petstore.OrdersService;
import dev.tempest.examples.petstore.Pet;
import dev.tempest.examples.petstore.PetStore;
import dev.tempest.examples.petstore.StockService;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the replicas of all seven services have at the end.
 *
 * @param contents by service, then by server: its collections by name
 */
record PetStoreComparison(Map<String, Map<String, Map<String, Object>>> contents) {
  /** Asks every server for the state of every service. */
  static PetStoreComparison ask(Admin admin, List<String> servers) {
    Map<String, Map<String, Map<String, Object>>> contents = new LinkedHashMap<>();
    PetStore.services()
        .forEach((name, service) -> {
          Map<String, Map<String, Object>> replicas = new LinkedHashMap<>();
          for (String server : servers) {
            replicas.put(server, admin.state(name, server).contents(service));
          }
          contents.put(name, replicas);
        });
    return new PetStoreComparison(contents);
  }

  /** A line per service: how much it has, and whether all replicas have the same. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    contents.forEach((service, replicas) ->
        lines.add(
            String.format(
                Locale.ROOT,
                "  %-16s %,9d entries  %s",
                service,
                entries(first(service)),
                areEqual(service) ? "all replicas equal" : "REPLICAS DIFFER")));
    return lines;
  }

  /** What is wrong, a line each; none if all is well. */
  List<String> faults(List<Pet> pets, int delivered, long sales) {
    List<String> faults = new ArrayList<>();
    for (String service : contents.keySet()) {
      if (!areEqual(service)) {
        faults.add("the replicas of " + service + " differ");
      }
    }
    Map<?, ?> orders = map("orders", OrdersService.ORDERS);
    if (orders.size() != sales) {
      faults.add(orders.size() + " orders are noted of " + sales + " sales");
    }
    Map<String, Integer> sold = new TreeMap<>();
    for (Object each : orders.values()) {
      Order order = (Order) each;
      sold.merge(order.pet(), order.count(), Integer::sum);
    }
    Map<?, ?> stock = map("stock", StockService.COUNTS);
    for (Pet pet : pets) {
      int there =
          sold.getOrDefault(pet.id(), 0)
              + (Integer) Objects.requireNonNullElse(stock.get(pet.id()), 0);
      if (there != delivered) {
        faults.add(pet.id() + ": " + there + " in stock and orders, " + delivered + " delivered");
      }
    }
    return faults;
  }

  private boolean areEqual(String service) {
    return replicas(service).values().stream().distinct().count() == 1;
  }

  private Map<String, Map<String, Object>> replicas(String service) {
    return Objects.requireNonNull(contents.get(service));
  }

  private Map<String, Object> first(String service) {
    return replicas(service).values().iterator().next();
  }

  private Map<?, ?> map(String service, String name) {
    @Nullable Object map = first(service).get(name);
    return map == null ? Map.of() : (Map<?, ?>) map;
  }

  private static long entries(Map<String, Object> contents) {
    return contents.values().stream().mapToLong(PetStoreComparison::size).sum();
  }

  private static long size(Object object) {
    return switch (object) {
      case Map<?, ?> map -> map.size();
      case Collection<?> collection -> collection.size();
      default -> 1;
    };
  }
}

package dev.tempest.http;

import dev.tempest.Node;
import dev.tempest.OverloadedException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the servers are that answer over HTTP, and how much each has to do, in a collection that
 * all of them share: whoever cannot answer sends his caller to the one with the lowest load.
 *
 * <p>Thread-safe.
 */
final class Whiteboard {
  static final String COLLECTION = "http-servers";

  private final Node node;
  private final String self;
  private final Map<String, Place> places;

  Whiteboard(Node node) {
    this.node = node;
    this.self = node.members().getFirst();
    this.places = node.map(COLLECTION, String.class, Place.class);
  }

  /** Writes of this server, if that is news. */
  void write(Place place) {
    try {
      if (!place.equals(places.get(self))) {
        places.put(self, place);
      }
    } catch (OverloadedException later) {
      return; // What stands there is a little older, then.
    }
  }

  /**
   * Another server that hosts the service, of those that are there, with the lowest load.
   *
   * @param below its load has to be lower, or, if equal, its address: so no two servers send a
   *     caller to each other
   */
  Optional<String> alternative(String service, int below) {
    List<String> members = node.members();
    return places.entrySet().stream()
        .filter(each -> !each.getKey().equals(self) && members.contains(each.getKey()))
        .filter(each -> each.getValue().services().contains(service))
        .filter(each -> isBefore(each.getKey(), each.getValue().load(), below))
        .map(Map.Entry::getValue)
        .min(Comparator.comparingInt(Place::load))
        .map(Place::url);
  }

  private boolean isBefore(String other, int load, int below) {
    return load < below || (load == below && other.compareTo(self) < 0);
  }

  /** This server answers no more. */
  void wipe() {
    try {
      places.remove(self);
    } catch (OverloadedException | IllegalStateException left) {
      return; // It is no member any more, or soon will not be.
    }
  }
}

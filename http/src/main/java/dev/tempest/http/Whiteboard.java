package dev.tempest.http;

import dev.tempest.MissingAcksException;
import dev.tempest.Node;
import dev.tempest.OverloadedException;
import dev.tempest.UnknownOutcomeException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

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

  /** Held by who writes: what is wiped stays so. */
  private final ReentrantLock writing = new ReentrantLock();

  private boolean wiped;

  Whiteboard(Node node) {
    this.node = node;
    this.self = node.members().getFirst();
    this.places = node.map(COLLECTION, String.class, Place.class);
  }

  /** Writes of this server, if that is news, and unless it was wiped. */
  void write(Place place) {
    change(() -> {
      if (!wiped && !place.equals(places.get(self))) {
        places.put(self, place);
      }
    });
  }

  /** This server answers no more. */
  void wipe() {
    change(() -> {
      wiped = true;
      places.remove(self);
    });
  }

  private void change(Runnable change) {
    writing.lock();
    try {
      change.run();
    } catch (OverloadedException
        | UnknownOutcomeException
        | MissingAcksException
        | IllegalStateException left) {
      return; // What stands there is a little older; or the node is closed, and all goes with it.
    } finally {
      writing.unlock();
    }
  }

  /**
   * The other servers that host the service, of those that are there, as far as is known.
   *
   * @throws Problem if that cannot be known now
   */
  Others others(String service) {
    List<String> members = node.members();
    try {
      return new Others(
          self,
          places.entrySet().stream()
              .filter(each -> !each.getKey().equals(self) && members.contains(each.getKey()))
              .filter(each -> each.getValue().services().contains(service))
              .toList());
    } catch (OverloadedException unreadable) {
      throw Problem.unavailable( // It is linearizable, and there is no majority.
          "it is not known who else hosts the service: " + unreadable.getMessage());
    }
  }

  /** As the whiteboard said at one moment: what is asked of it fits together. */
  record Others(String self, List<Map.Entry<String, Place>> places) {
    /** Whether there are none, also none that says where it is reached. */
    boolean isEmpty() {
      return places.isEmpty();
    }

    /**
     * Where the one is reached that has the lowest load, of those that say so.
     *
     * @param below its load has to be lower, or, if equal, its address: so no two servers send a
     *     caller to each other
     */
    Optional<String> alternative(int below) {
      return places.stream()
          .filter(each -> !each.getValue().url().isEmpty())
          .filter(each -> isBefore(each.getKey(), each.getValue().load(), below))
          .map(Map.Entry::getValue)
          .min(Comparator.comparingInt(Place::load))
          .map(Place::url);
    }

    private boolean isBefore(String other, int load, int below) {
      return load < below || (load == below && other.compareTo(self) < 0);
    }
  }
}

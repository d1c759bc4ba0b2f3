package dev.tempest;

import java.util.List;

/** Is called when a service turns out not to be deterministic. */
@FunctionalInterface
public interface DivergenceListener {
  /**
   * The replica here executed the same updates as another replica, reached a different state, and
   * takes the other one's state. Called on the event loop: return soon.
   *
   * @param service its name
   * @param collections the collections that differed, by kind and name: {@code map 'carts'}; none
   *     of a linearizable service, of which the outcomes of calls are compared
   */
  void diverged(String service, List<String> collections);
}

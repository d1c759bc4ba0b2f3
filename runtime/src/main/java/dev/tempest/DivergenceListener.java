package dev.tempest;

import java.util.List;

/** Is called when a service turns out not to be deterministic. */
@FunctionalInterface
public interface DivergenceListener {
  /**
   * The replica on this server had executed the same updates as another replica, to another state,
   * and takes over that replica's state. Called on the server's event loop: return soon.
   *
   * @param service its name
   * @param objects the collections that differed, by kind and name: {@code map 'carts'}
   */
  void diverged(String service, List<String> objects);
}

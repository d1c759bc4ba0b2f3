package dev.tempest;

import java.util.List;

/** Told when a service has turned out not to be deterministic. */
@FunctionalInterface
public interface DivergenceListener {
  /**
   * The replica on this server had come to another state than another one by the very same updates,
   * and takes the state of that one. Called on the server's loop: return soon.
   *
   * @param service its name
   * @param objects the state objects that differed, by kind and name: {@code map 'carts'}
   */
  void diverged(String service, List<String> objects);
}

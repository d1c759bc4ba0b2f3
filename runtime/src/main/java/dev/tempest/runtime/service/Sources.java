package dev.tempest.runtime.service;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table of methods of the JDK that give each process something else.
 *
 * <p>A method is named with its parameters, {@code getInstance()}, without them if they do not
 * matter, or by {@link #ANY}. The line that says more counts.
 */
final class Sources {
  /** A constructor. */
  static final String NEW = "<init>";

  /** Every method of a class. */
  static final String ANY = "*";

  /** Nothing is wrong with a method, whatever other lines say of those like it. */
  static final Source FINE = new Source("", false, Set.of());

  private final Map<String, Source> byMethod = new HashMap<>();

  /** What no service that all replicas execute may call. */
  Sources refuses(String owner, String remedy, String... methods) {
    return add(owner, new Source(remedy, true, Set.of()), methods);
  }

  /** Likewise, unless the same code calls {@code correction}. */
  Sources refusesUnless(String correction, String owner, String remedy, String... methods) {
    return add(owner, new Source(remedy, true, Set.of(correction)), methods);
  }

  /** What is wrong only if the state depends on it. */
  Sources warns(String owner, String remedy, String... methods) {
    return add(owner, new Source(remedy, false, Set.of()), methods);
  }

  /** Likewise, unless the same code calls {@code correction}. */
  Sources warnsUnless(String correction, String owner, String remedy, String... methods) {
    return add(owner, new Source(remedy, false, Set.of(correction)), methods);
  }

  /** What another line would mean as well, but gives the same in every process. */
  Sources allows(String owner, String... methods) {
    return add(owner, FINE, methods);
  }

  private Sources add(String owner, Source source, String... methods) {
    for (String method : methods) {
      byMethod.put(owner + '.' + method, source);
    }
    return this;
  }

  /** What is said of a method, {@link #FINE} perhaps; null if nothing is. */
  @Nullable Source find(String owner, String name, String parameters) {
    Source found = byMethod.get(owner + '.' + name + parameters);
    if (found == null) {
      found = byMethod.get(owner + '.' + name);
    }
    if (found == null) {
      found = byMethod.get(owner + '.' + ANY);
    }
    return found;
  }
}

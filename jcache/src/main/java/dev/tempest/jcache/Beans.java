package dev.tempest.jcache;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.cache.CacheException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The beans of a cache at the platform's server, under the names that JCache gives them. If two
 * managers with one URI have caches of one name, the beans are those of the first.
 */
final class Beans implements AutoCloseable {
  private static final List<String> TYPES = List.of("CacheConfiguration", "CacheStatistics");

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final String rest;
  private final Set<String> shown = new HashSet<>();

  Beans(URI manager, String cache) {
    rest = ",CacheManager=%s,Cache=%s".formatted(safe(manager.toString()), safe(cache));
  }

  private static String safe(String name) {
    return name.replaceAll("[,:=\n*?\"]", ".");
  }

  /** Registers a bean; or removes it, if it is null. */
  synchronized void show(String type, @Nullable Object bean) {
    try {
      ObjectName name = new ObjectName("javax.cache:type=" + type + rest);
      if (bean != null && !server.isRegistered(name)) {
        server.registerMBean(bean, name);
        shown.add(type);
      } else if (bean == null && shown.remove(type)) {
        server.unregisterMBean(name);
      }
    } catch (JMException failed) {
      throw new CacheException("The %s bean: %s".formatted(type, failed.getMessage()), failed);
    }
  }

  @Override
  public void close() {
    TYPES.forEach(type -> show(type, null));
  }
}

package dev.tempest.jcache;

import dev.tempest.Node;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/**
 * JCache over the collections of a node: a cache of a name is the same at all nodes of a cluster.
 *
 * <p>{@link javax.cache.Caching#getCachingProvider()} finds it, and its managers share a node that
 * joins as {@link dev.tempest.Tempest#join()} does when the first of them has a cache, and leaves
 * when the last of them closes. {@link #over} takes a node that runs already:
 *
 * <pre>{@code
 * CacheManager manager = TempestCachingProvider.over(node).getCacheManager();
 * Cache<String, Integer> stock = manager.createCache("stock", new MutableConfiguration<>());
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class TempestCachingProvider implements CachingProvider {
  private static final String SCHEME = "tempest";
  private static final URI DEFAULT = URI.create(SCHEME + ":default");

  private final Supplier<NodeUse> nodes;
  private final Map<Id, TempestCaches> managers = new HashMap<>();

  /** By what managers are told apart. */
  private record Id(URI uri, ClassLoader loader) {}

  /** For {@link java.util.ServiceLoader}. */
  public TempestCachingProvider() {
    this(() -> NodeUse.of(SharedNode.OF_PROCESS));
  }

  private TempestCachingProvider(Supplier<NodeUse> nodes) {
    this.nodes = nodes;
  }

  /** One whose caches are those of a running node, which it never closes. */
  public static TempestCachingProvider over(Node node) {
    return new TempestCachingProvider(() -> NodeUse.of(node));
  }

  /**
   * The manager of a URI and a class loader, the same until it is closed.
   *
   * @param uri {@code tempest:} and any name, which only tells managers apart; null for {@code
   *     tempest:default}
   * @param classLoader finds the classes of keys and values; null for the one that has loaded this
   *     class
   * @param properties are kept for {@link CacheManager#getProperties}, and mean nothing
   * @throws CacheException if the URI is another one
   */
  @Override
  public CacheManager getCacheManager(
      @Nullable URI uri, @Nullable ClassLoader classLoader, @Nullable Properties properties) {
    URI named = uri == null ? DEFAULT : uri;
    if (!SCHEME.equals(named.getScheme())) {
      throw new CacheException(
          "%s is no URI of Tempest: use %s, and configure the node in tempest.yaml"
              .formatted(named, DEFAULT));
    }
    ClassLoader loader = classLoader == null ? getDefaultClassLoader() : classLoader;
    Properties kept = new Properties();
    if (properties != null) {
      kept.putAll(properties);
    }
    synchronized (managers) {
      return managers.computeIfAbsent(
          new Id(named, loader),
          absent -> new TempestCaches(this, nodes.get(), named, loader, kept));
    }
  }

  @Override
  public CacheManager getCacheManager(@Nullable URI uri, @Nullable ClassLoader classLoader) {
    return getCacheManager(uri, classLoader, null);
  }

  @Override
  public CacheManager getCacheManager() {
    return getCacheManager(null, null, null);
  }

  @Override
  public ClassLoader getDefaultClassLoader() {
    return getClass().getClassLoader();
  }

  @Override
  public URI getDefaultURI() {
    return DEFAULT;
  }

  @Override
  public Properties getDefaultProperties() {
    return new Properties();
  }

  /** Closes all its managers. */
  @Override
  public void close() {
    closeIf(id -> true);
  }

  @Override
  public void close(ClassLoader classLoader) {
    closeIf(id -> id.loader.equals(classLoader));
  }

  @Override
  public void close(URI uri, ClassLoader classLoader) {
    closeIf(new Id(uri, classLoader)::equals);
  }

  private void closeIf(Predicate<Id> isMeant) {
    List<TempestCaches> open = new ArrayList<>();
    synchronized (managers) {
      managers.forEach((id, manager) -> {
        if (isMeant.test(id)) {
          open.add(manager);
        }
      });
    }
    Closing.all(open);
  }

  void forget(TempestCaches manager) {
    synchronized (managers) {
      managers.remove(new Id(manager.getURI(), manager.getClassLoader()), manager);
    }
  }

  /** Values are stored by value only: other nodes have them, too. */
  @Override
  public boolean isSupported(OptionalFeature optionalFeature) {
    return false;
  }
}

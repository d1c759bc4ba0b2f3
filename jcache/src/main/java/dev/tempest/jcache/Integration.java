package dev.tempest.jcache;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * The loader and the writer of a cache, or none. What they throw are the exceptions that JCache has
 * for it.
 */
final class Integration<K, V> {
  private final @Nullable CacheLoader<K, V> loader;
  private final @Nullable CacheWriter<K, V> writer;

  @SuppressWarnings("unchecked") // Whoever configures a writer says that it is one of these types.
  Integration(CompleteConfiguration<K, V> configuration, Opened opened) {
    loader = opened.with(created(configuration.getCacheLoaderFactory()));
    writer = (CacheWriter<K, V>) opened.with(created(configuration.getCacheWriterFactory()));
  }

  private static <T> @Nullable T created(@Nullable Factory<? extends T> factory) {
    return factory == null ? null : factory.create();
  }

  boolean hasLoader() {
    return loader != null;
  }

  @Nullable V load(K key) {
    return loader == null ? null : loading(() -> loader.load(key));
  }

  Map<K, V> loadAll(Set<? extends K> keys) {
    return loader == null ? Map.of() : loading(() -> Objects.requireNonNull(loader.loadAll(keys)));
  }

  void write(Cache.Entry<K, V> entry) {
    if (writer != null) {
      writing(() -> writer.write(entry));
    }
  }

  void writeAll(Collection<Cache.Entry<? extends K, ? extends V>> entries) {
    if (writer != null) {
      writing(() -> writer.writeAll(entries));
    }
  }

  void delete(K key) {
    if (writer != null) {
      writing(() -> writer.delete(key));
    }
  }

  void deleteAll(Collection<K> keys) {
    if (writer != null) {
      writing(() -> writer.deleteAll(keys));
    }
  }

  private static <T> T loading(Supplier<T> load) {
    try {
      return load.get();
    } catch (CacheLoaderException failed) {
      throw failed;
    } catch (RuntimeException failed) {
      throw new CacheLoaderException("The loader failed: " + failed, failed);
    }
  }

  private static void writing(Runnable write) {
    try {
      write.run();
    } catch (CacheWriterException failed) {
      throw failed;
    } catch (RuntimeException failed) {
      throw new CacheWriterException("The writer failed: " + failed, failed);
    }
  }
}

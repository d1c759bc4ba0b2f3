package dev.tempest.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.processor.MutableEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cache of two nodes, both of which have to agree. */
@Timeout(60)
final class LinearizableCacheTest {
  private static final int INCREMENTS = 50;

  @Test
  void processorsOfBothNodesAreAtomic() throws Exception {
    String[] members = {place(), place()};
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Node> joining = threads.submit(() -> join(members[0], members));
      try (Node one = join(members[1], members);
          Node other = joining.get()) {
        List<Cache<String, Integer>> caches = List.of(cache(one), cache(other));
        List<Future<?>> running = new ArrayList<>();
        for (Cache<String, Integer> each : caches) {
          running.add(threads.submit(() -> incrementOften(each)));
        }
        for (Future<?> each : running) {
          each.get();
        }
        assertThat(caches.getFirst().get("count")).isEqualTo(2 * INCREMENTS);
        assertThat(caches.getLast().get("count")).isEqualTo(2 * INCREMENTS);
        assertThat(caches.getFirst().putIfAbsent("seat", 1)).isTrue();
        assertThat(caches.getLast().putIfAbsent("seat", 2)).isFalse();
      }
    }
  }

  private static String place() throws IOException {
    try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + free.getLocalPort();
    }
  }

  private static Node join(String place, String[] members) {
    return Tempest.join(
        NodeConfig.builder()
            .cluster("jcache-linearizable")
            .listen(place)
            .members(members)
            .collection(
                "cache-*", CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build())
            .build());
  }

  private static Cache<String, Integer> cache(Node node) {
    return TempestCachingProvider.over(node)
        .getCacheManager()
        .createCache("counts", new MutableConfiguration<>());
  }

  private static void incrementOften(Cache<String, Integer> cache) {
    for (int i = 0; i < INCREMENTS; i++) {
      cache.invoke("count", LinearizableCacheTest::increment);
    }
  }

  private static Integer increment(MutableEntry<String, Integer> entry, Object... arguments) {
    entry.setValue(entry.exists() ? entry.getValue() + 1 : 1);
    return entry.getValue();
  }
}

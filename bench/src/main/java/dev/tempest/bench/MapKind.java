package dev.tempest.bench;

import com.hazelcast.config.Config;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.Preset;
import dev.tempest.config.ServiceOptions.Reads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * A map that is measured: ours, preset eventual or linearizable with local reads, one of the JDK,
 * or Hazelcast's as it comes.
 */
enum MapKind {
  TEMPEST("Tempest map", 2),
  TEMPEST_SORTED("Tempest sorted map", 2),
  TEMPEST_LOCAL("Tempest linearizable map", 3),
  CONCURRENT_HASH_MAP("ConcurrentHashMap", 1),
  HASH_MAP("HashMap", 1),
  SKIP_LIST_MAP("ConcurrentSkipListMap", 1),
  TREE_MAP("TreeMap", 1),
  HAZELCAST("Hazelcast ReplicatedMap", 2);

  private static final String LOOPBACK = "127.0.0.1";
  private static final int JOIN_SECONDS = 40;

  /** What people call it. */
  final String title;

  /** In how many processes it lives when it is measured. */
  final int nodes;

  MapKind(String title, int nodes) {
    this.title = title;
    this.nodes = nodes;
  }

  /** What the Java that it runs in has to be told. */
  List<String> jvmOptions() {
    return this == HAZELCAST
        ? List.of(
            "--add-modules=java.se",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.management/sun.management=ALL-UNNAMED",
            "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED")
        : List.of();
  }

  /**
   * Joins the other processes, and waits until they are there.
   *
   * @param cluster the name of the cluster
   * @param ports as many as there are processes, the one of this process first
   * @return makes the map of so many entries
   */
  IntFunction<Map<String, String>> open(String cluster, List<Integer> ports)
      throws InterruptedException {
    return switch (this) {
      case TEMPEST -> {
        Node node = tempest(cluster, ports.size());
        yield entries -> node.map(name(entries), String.class, String.class);
      }
      case TEMPEST_SORTED -> {
        Node node = tempest(cluster, ports.size());
        yield entries -> node.sortedMap(name(entries), String.class, String.class);
      }
      case TEMPEST_LOCAL -> {
        Node node = readingLocally(cluster, ports);
        yield entries -> node.map(name(entries), String.class, String.class);
      }
      case HAZELCAST -> {
        HazelcastInstance instance = hazelcast(cluster, ports);
        yield entries -> instance.getReplicatedMap(name(entries));
      }
      case CONCURRENT_HASH_MAP -> entries -> new ConcurrentHashMap<>();
      case HASH_MAP -> entries -> new HashMap<>();
      case SKIP_LIST_MAP -> entries -> new ConcurrentSkipListMap<>();
      case TREE_MAP -> entries -> new TreeMap<>();
    };
  }

  private static String name(int entries) {
    return "map-" + entries;
  }

  private static Node tempest(String cluster, int nodes) throws InterruptedException {
    CollectionConfig eventual = CollectionConfig.builder().preset(Preset.EVENTUAL).build();
    Node node =
        Tempest.join(NodeConfig.builder().cluster(cluster).collection("map-*", eventual).build());
    Semaphore changes = new Semaphore(0);
    try (var _ = node.onMembership(change -> changes.release())) {
      while (node.members().size() < nodes) {
        if (!changes.tryAcquire(JOIN_SECONDS, TimeUnit.SECONDS)) {
          throw new IllegalStateException("the other process has not joined");
        }
      }
    }
    return node;
  }

  private static Node readingLocally(String cluster, List<Integer> ports) {
    List<String> members = ports.stream().sorted().map(port -> LOOPBACK + ":" + port).toList();
    return Tempest.join(
        NodeConfig.builder()
            .cluster(cluster)
            .listen(LOOPBACK + ":" + ports.getFirst())
            .members(members.toArray(String[]::new))
            .reads(Reads.LOCAL)
            .collection(
                "map-*", CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build())
            .build());
  }

  private static HazelcastInstance hazelcast(String cluster, List<Integer> ports) {
    Config config = new Config();
    config.setClusterName(cluster);
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.socket.bind.any", "false");
    NetworkConfig network = config.getNetworkConfig();
    network.setPort(ports.getFirst()).setPortAutoIncrement(false);
    network.getInterfaces().setEnabled(true).addInterface(LOOPBACK);
    network.getJoin().getAutoDetectionConfig().setEnabled(false);
    network.getJoin().getMulticastConfig().setEnabled(false);
    network.getJoin().getTcpIpConfig().setEnabled(true);
    ports.forEach(port -> network.getJoin().getTcpIpConfig().addMember(LOOPBACK + ":" + port));
    // Waits until so many are there.
    config.setProperty("hazelcast.initial.min.cluster.size", String.valueOf(ports.size()));
    return Hazelcast.newHazelcastInstance(config);
  }
}

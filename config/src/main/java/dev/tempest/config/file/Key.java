package dev.tempest.config.file;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/** The keys of {@code tempest.yaml}: all that is known of them in words, for people and tools. */
enum Key {
  CLUSTER("tempest", "shop", "The name of the cluster; a node ignores other clusters."),
  NAME("none", "till-3", "Display name of this node; defaults to its address."),
  LISTEN(
      "private:7400-7499",
      "private:7400, 10.0.0.1:7400-7409, or 127.0.0.1",
      "Where this node listens: host, host:port, or host:first-last for the first free port."
          + " private (or 0.0.0.0) stands for all addresses of this machine; 127.0.0.1 keeps the"
          + " node on this machine."),
  ADVERTISE(
      "none",
      "203.0.113.7:7400, or a host without a port",
      "Where others reach this node if not where it listens, as behind NAT or in a container; the"
          + " default port is the one it listens on."),
  ALLOW(
      "none",
      "[203.0.113.0/24, 2001:db8::/32]",
      "Networks from which this node accepts messages, besides private addresses; whoever sends"
          + " from there can join."),
  MULTICAST(
      "45790",
      "off, or a port from 1 to 65535",
      "The multicast port, through which nodes on one network find each other and front-ends reach"
          + " all servers at once; or off."),
  LOOPBACK(
      "on", "on, or off", "Whether to look for other nodes on the first 16 ports of this machine."),
  SEEDS(
      "none",
      "[10.0.0.1, 10.0.0.2:7400]",
      "Where other nodes may be; the default port is the first of this node's own."),
  DNS(
      "none",
      "shop.default.svc.cluster.local, or with :7400 behind",
      "A name whose addresses may all be nodes, such as that of a headless service in Kubernetes;"
          + " the default port is the first of this node's own."),
  MEMBERS(
      "none",
      "[10.0.0.1:7400, 10.0.0.2:7400, 10.0.0.3:7400]",
      "All nodes of the cluster, this one included, if they are known beforehand; the node then"
          + " does not search by multicast, loopback, seeds or dns. The list keeps nobody out."),
  EXPEL_AFTER(
      "60s",
      "60s, from 2s to 1d",
      "How long a node may be silent before the others go on without it."),
  SHUTDOWN_HOOK(
      "on",
      "on, or off",
      "Whether a node in an application leaves its cluster when the JVM shuts down; if off, close"
          + " the node yourself. A server always leaves."),
  CHECKPOINT_FOLDER(
      "none",
      "/var/lib/shop/checkpoints",
      "A folder for this process alone, in which it writes what it has, and from which it comes"
          + " back when all processes have ended."),
  CHECKPOINT_EVERY(
      "1m",
      "1m, from 1s to 1d",
      "How often it writes there, if there is something new; a crash of all processes loses what"
          + " came later."),
  LOG(
      "memory",
      "memory, disk, or adaptive",
      "Where each member keeps what linearizable services and collections agree on; the same at"
          + " all. disk: in the checkpoint-folder, before it counts, so that it survives the end of"
          + " all processes. adaptive: as disk while a member is missing; else it may be lost if"
          + " most machines lose their power at once."),
  ACKS(
      "1",
      "2, from 1 to 64",
      "How many nodes, this one included, must have a write into a collection before it returns."),
  DEADLINE(
      "10s",
      "2s, from 1ms to 10m",
      "How long a write waits until other nodes have it, or have room for it; and a read or a"
          + " write of a linearizable collection until it counts."),
  MAX_AHEAD(
      "10k",
      "1000, or 10k, up to 1M",
      "How many writes of this node into collections another node that answers may lack before"
          + " writers wait; a crash of this node can lose as many."),
  READS(
      "linearizable",
      "linearizable, lease, or local",
      "Whom reads of linearizable collections ask; the same at all. linearizable: a majority."
          + " lease: at the leader nobody, if the clocks of the machines run about equally fast."
          + " local: likewise at every member, for which writes wait."),
  HTTP(
      "none",
      "127.0.0.1:8080, or none",
      "Where a server answers over HTTP, host:port; 0.0.0.0 stands for all addresses of this"
          + " machine. There is no authentication: put it in front. Pages for operators are at the"
          + " same port: /dashboard, /status.json, /metrics, /health."),
  HTTP_ADVERTISE(
      "none",
      "https://shop.example.org, also with a port and a path, or none",
      "Where callers over HTTP reach this server, to whom another one sends them; none: it sends"
          + " nobody here."),
  COLLECTIONS(
      "none",
      "carts: {preset: session}, indented, in the lines below",
      "How collections are kept, by name or by a prefix and a star; only the most specific matching"
          + " pattern applies."),
  SERVICES(
      "none",
      "- {name: cart, class: com.example.CartService}, in the lines below",
      "The services that this node hosts."),

  PRESET(
      "session",
      "session, or eventual",
      "session: the calling node executes, its changes travel, and the later write to a key wins."
          + " eventual: every node decides conditional writes in the one order."),
  TIME_TO_LIVE("none", "30m, or none", "How long an entry lives after it was written."),
  IDLE("none", "30m, or none", "How long an entry lives after it was last written or touched."),
  MAX_SIZE("none", "100000, 100k, or none", "How many entries there are at most."),
  COLLECTION_ACKS(
      "none",
      "2, from 1 to 64, or none",
      "How many nodes, the writer included, must have a write before it returns; none: the node's"
          + " acks."),
  COLLECTION_CONSISTENCY(
      "eventual",
      "eventual, or linearizable",
      "linearizable: a majority agrees on each write before it returns, and reads show every"
          + " earlier write; needs members. To change it, use a new name: the data does not come"
          + " along."),

  SERVICE_NAME("required", "cart", "The name by which front-ends ask for the service."),
  CLASS("required", "com.example.CartService", "The class of the service, with its package."),
  JAR(
      "none",
      "lib/cart.jar, relative to the folder of this file",
      "The jar with the class, relative to the folder of this file; the default is the class"
          + " path."),
  UNCHECKED(
      "none",
      "[com.example.Metrics, org.slf4j]",
      "Classes and packages that may use clocks and random numbers, because nothing of it enters"
          + " the state."),
  RECONCILE(
      "merge",
      "merge, or adopt",
      "What two replicas do that have executed different updates. merge: each executes what the"
          + " other has. adopt: one gives up its own updates."),
  EXECUTE(
      "all",
      "all, any, or leader",
      "all: every node that has the state executes every update. any: one does, the others apply"
          + " what it wrote. leader: the leader, or primary, of a linearizable service does,"
          + " likewise; its default."),
  CONSISTENCY(
      "eventual",
      "eventual, linearizable, replicated, state-machine, or primary-backup",
      "eventual: nodes execute at once and agree on the order afterwards. linearizable: a majority"
          + " agrees first, and reads show every earlier update. replicated: linearizable with"
          + " execute: any. state-machine: linearizable with execute: all. primary-backup: as"
          + " linearizable, with two copies of the state, in memory. To change it from or to"
          + " eventual or primary-backup, use a new name: the data does not come along."),
  SERVICE_READS(
      "linearizable",
      "linearizable, lease, local, session, or stale",
      "What reads of a linearizable service show. linearizable: every earlier update. lease: the"
          + " same, sooner at the leader, if the clocks of the machines run about equally fast."
          + " local: likewise at every server, for which updates wait. session: what the caller"
          + " has seen. stale: what is known where the read is answered."),
  BALLOTS(
      "classic",
      "classic, or fast",
      "Who gives updates of a state-machine service their places. classic: the leader. fast: all"
          + " servers vote, and an update takes two message delays where few write at the same"
          + " time; with log: memory, and without reads: lease or local.");

  /** The word that stands for no value where there may be none. */
  static final String NONE = "none";

  private final String defaultText;
  private final String example;
  private final String description;

  /**
   * @param example what may be written
   */
  Key(String defaultText, String example, String description) {
    this.defaultText = defaultText;
    this.example = example;
    this.description = description;
  }

  /** The keys of the file itself. */
  static List<Key> ofNode() {
    return List.copyOf(EnumSet.range(CLUSTER, SERVICES));
  }

  /** The keys of each collection. */
  static List<Key> ofCollection() {
    return List.copyOf(EnumSet.range(PRESET, COLLECTION_CONSISTENCY));
  }

  /** The keys of each service. */
  static List<Key> ofService() {
    return List.copyOf(EnumSet.range(SERVICE_NAME, BALLOTS));
  }

  static List<String> words(List<Key> keys) {
    return keys.stream().map(Key::word).toList();
  }

  /** As it is written in a file. */
  String word() {
    return switch (this) {
      case SERVICE_NAME -> NAME.word();
      case COLLECTION_ACKS -> ACKS.word();
      case SERVICE_READS -> READS.word();
      case COLLECTION_CONSISTENCY -> CONSISTENCY.word();
      default -> name().toLowerCase(Locale.ROOT).replace('_', '-');
    };
  }

  /** The environment variable that goes before the file. */
  String variable() {
    return "TEMPEST_" + name();
  }

  /** Whether there is such a variable: collections and services are written in files only. */
  boolean hasVariable() {
    return compareTo(COLLECTIONS) < 0;
  }

  /** Whether its value is a list of texts. */
  boolean isList() {
    return this == ALLOW || this == SEEDS || this == MEMBERS || this == UNCHECKED;
  }

  String defaultText() {
    return defaultText;
  }

  String description() {
    return description;
  }

  /** What to do about a value that cannot work. */
  String remedy() {
    return "write " + word() + ": " + example;
  }
}

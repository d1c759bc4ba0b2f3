package dev.tempest.sessions.tomcat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.util.HashMap;
import java.util.Map;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.LifecycleListener;
import org.apache.catalina.Server;

/**
 * The nodes that the web applications of a Tomcat share: one for each configuration. It joins with
 * the first application, and leaves when Tomcat stops: what is deployed again meanwhile finds its
 * sessions, also where there is no other Tomcat.
 */
final class ServerNodes {
  private static final Map<Key, Node> NODES = new HashMap<>();

  /**
   * Which node it is.
   *
   * @param file its configuration; empty for what applies to any process
   */
  private record Key(Server server, String file) {}

  private ServerNodes() {}

  /** Joins, unless another application of the Tomcat has. */
  static Node join(Server server, String file) {
    Key key = new Key(server, file);
    synchronized (NODES) {
      Node known = NODES.get(key);
      if (known != null) {
        return known;
      }
      Node node = Tempest.join(config(server, file));
      NODES.put(key, node);
      server.addLifecycleListener(new LeavingWithServer(key));
      return node;
    }
  }

  /** Tomcat has a hook of its own for the end of its process: the last requests still write. */
  private static NodeConfig config(Server server, String file) {
    NodeConfig found =
        file.isEmpty()
            ? NodeConfig.load()
            : NodeConfig.load(server.getCatalinaBase().toPath().resolve(file));
    return found.toBuilder().shutdownHook(false).build();
  }

  private record LeavingWithServer(Key key) implements LifecycleListener {
    @Override
    public void lifecycleEvent(LifecycleEvent event) {
      if (!event.getType().equals(Lifecycle.AFTER_STOP_EVENT)) {
        return;
      }
      key.server.removeLifecycleListener(this);
      Node node;
      synchronized (NODES) {
        node = NODES.remove(key);
      }
      if (node != null) {
        node.close();
      }
    }
  }
}

package dev.tempest;

import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.Eventually;
import java.util.Map;

/** Fills the collections of a node until it refuses more, and says what can be done then. */
final class FillingProgram {
  private static final int CHARS = 1_000;

  private FillingProgram() {}

  /** Takes the address of the node. */
  public static void main(String[] arguments) {
    CollectionConfig linearizable =
        CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build();
    NodeConfig config =
        NodeConfig.builder()
            .listen(arguments[0])
            .members(arguments[0])
            .multicastPort(0)
            .collection("agreed", linearizable)
            .build();
    try (Node node = Tempest.join(config)) {
      Map<Integer, String> agreed = node.map("agreed", Integer.class, String.class);
      Map<Integer, String> eventual = node.map("eventual", Integer.class, String.class);
      agreed.put(0, "first");
      int count = fill("eventual", eventual, 0);
      eventual.put(0, "replaced");
      node.batch(() -> {
        eventual.remove(1);
        return eventual.put(count, "for another one");
      });
      say("eventual: " + eventual.get(0) + ", " + eventual.get(count));

      fill("agreed", agreed, 1);
      agreed.put(0, "replaced");
      say("agreed: " + agreed.get(0));

      for (int key = 0; key < count / 2; key++) {
        eventual.remove(key);
      }
      Eventually.eventually(
          "there is room", () -> !isRefused(eventual, 0) && !isRefused(agreed, -1));
      say("room again");
    }
  }

  /** Puts entries from a key on until one is refused, and returns its key. */
  private static int fill(String name, Map<Integer, String> map, int from) {
    for (int key = from; ; key++) {
      try {
        map.put(key, ("%0" + CHARS + "d").formatted(key));
      } catch (OverloadedException refused) {
        say(name + ": " + (map.containsKey(key) ? "it is there" : refused.getMessage()));
        return key;
      }
    }
  }

  private static boolean isRefused(Map<Integer, String> map, int key) {
    try {
      map.put(key, "one more");
      return false;
    } catch (OverloadedException refused) {
      return true;
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }
}

package dev.tempest.embedding;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.util.Map;
import java.util.NavigableMap;

/**
 * An application with a record whose accessor says something else than it holds, and fails wherever
 * the application itself does not call it.
 */
public final class Accessors {
  private static final Thread MAIN = Thread.currentThread();

  private Accessors() {}

  /** What is kept, as key and as value. */
  public record Odd(int number) implements Comparable<Odd> {
    @Override
    public int number() {
      if (!Thread.currentThread().equals(MAIN)) {
        throw new IllegalStateException("not here");
      }
      return number + 1;
    }

    @Override
    public int compareTo(Odd other) {
      return Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
      return "Odd " + number;
    }
  }

  /** Two nodes share it, and a third one joins them; prints what that one has. */
  public static void main(String[] arguments) throws InterruptedException {
    NodeConfig config =
        NodeConfig.load().toBuilder()
            .cluster("embedding-" + ProcessHandle.current().pid())
            .listen("127.0.0.1")
            .acks(2)
            .build();
    try (Node one = Tempest.join(config);
        Node two = Tempest.join(config)) {
      write(one, 1);
      write(two, 2);
      try (Node three = Tempest.join(config)) {
        System.out.println(keys(three) + " " + sorted(three));
      }
    }
  }

  private static void write(Node node, int number) {
    keys(node).put(new Odd(number), new Odd(-number));
    sorted(node).put(new Odd(number), number);
  }

  private static Map<Odd, Odd> keys(Node node) {
    return node.map("keys", Odd.class, Odd.class);
  }

  private static NavigableMap<Odd, Integer> sorted(Node node) {
    return node.sortedMap("sorted", Odd.class, Integer.class);
  }
}

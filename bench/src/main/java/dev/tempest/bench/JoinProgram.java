package dev.tempest.bench;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A process with a node that joins when it is told to, and has, or gets, what others have. */
final class JoinProgram implements Program.Answers<JoinProgram.Request, List<Point>> {
  /** 500 bytes are an entry, with its key. */
  private static final String VALUE = "x".repeat(480);

  private static final int FILL_BATCH = 1_000;
  private static final long LOOK_AGAIN_NANOS = 1_000_000;

  /** Only the end of a process writes a checkpoint: nothing is to disturb what is measured. */
  private static final Duration NEVER = Duration.ofDays(1);

  /** What to do, with a number that says how much. */
  record Request(What what, int number) implements Serializable {}

  /** What can be done. */
  enum What {
    /** Join, and declare a map; how long that took until so many large entries were in it. */
    JOIN,

    /** Put so many large entries. */
    FILL,

    /** Wait until there are so many large entries. */
    AWAIT_FILLED,

    /** Begin to put so many times a second, and into a map of the JDK as often. */
    PACE,

    /** Wait until so many seconds of that pace have begun and ended. */
    AWAIT_SECONDS,

    /** What was left in the heap after collections since the last time, and after one now. */
    HEAP,

    /** End the pace; what puts took in each second. */
    REST,

    /** Put so many small entries as fast as can be; how long that took, and when it ended. */
    BURST,

    /** Wait until there are so many small entries; when that was. */
    AWAIT_BURST,

    /** Leave the cluster, with a checkpoint if there is a folder for it. */
    LEAVE
  }

  private final NodeConfig config;
  private final HeapReadings heap = new HeapReadings();
  private @Nullable Node node;
  private final List<PacedWriter> writers = new ArrayList<>();

  /**
   * Prepares a node.
   *
   * @param addresses of all nodes, its own first
   * @param checkpoints the folder for them, or nothing
   */
  JoinProgram(String cluster, List<String> addresses, String checkpoints) {
    this.config =
        NodeConfig.builder()
            .cluster(cluster)
            .listen(addresses.getFirst())
            .members(addresses.toArray(String[]::new))
            .checkpointFolder(checkpoints)
            .checkpointEvery(NEVER)
            .build();
  }

  @Override
  public List<Point> answer(Request request) throws InterruptedException {
    int number = request.number;
    return switch (request.what) {
      case JOIN -> List.of(join(number));
      case FILL -> List.of(fill(number));
      case AWAIT_FILLED -> List.of(await(large(), number));
      case PACE -> {
        Map<Integer, Integer> paced = node().map("paced", Integer.class, Integer.class);
        writers.add(new PacedWriter("ours", paced, number));
        // What is as slow there is the machine's fault, which has other work to do as well.
        writers.add(new PacedWriter("ConcurrentHashMap", new ConcurrentHashMap<>(), number));
        yield List.of();
      }
      case AWAIT_SECONDS -> {
        for (PacedWriter writer : writers) {
          writer.await(number);
        }
        yield List.of();
      }
      case HEAP -> heap.take();
      case REST -> {
        List<Point> seconds = new ArrayList<>();
        for (PacedWriter writer : writers) {
          seconds.addAll(writer.end());
        }
        yield seconds;
      }
      case BURST -> List.of(burst(number));
      case AWAIT_BURST -> List.of(await(small(), number));
      case LEAVE -> {
        node().close();
        yield List.of();
      }
    };
  }

  private Point join(int entries) {
    Point started = Point.of("startEpochMillis", System.currentTimeMillis());
    long startNanos = System.nanoTime();
    node = Tempest.join(config);
    double joinedMillis = (System.nanoTime() - startNanos) / 1e6;
    Point there = await(large(), entries);
    double millis = (System.nanoTime() - startNanos) / 1e6;
    return started.with(
        "endEpochMillis",
        there.number("epochMillis"),
        "millis",
        millis,
        "declaringMillis",
        millis - joinedMillis);
  }

  private Node node() {
    return Objects.requireNonNull(node, "not joined");
  }

  private Map<Integer, String> large() {
    return node().map("large", Integer.class, String.class);
  }

  private Map<Integer, Integer> small() {
    return node().map("small", Integer.class, Integer.class);
  }

  private Point fill(int entries) {
    Map<Integer, String> map = large();
    Map<Integer, String> batch = new HashMap<>();
    for (int key = 0; key < entries; key++) {
      batch.put(key, key + VALUE);
      if (batch.size() == FILL_BATCH || key == entries - 1) {
        map.putAll(batch);
        batch.clear();
      }
    }
    return Point.of("entries", map.size());
  }

  private Point burst(int puts) {
    Map<Integer, Integer> map = small();
    long startNanos = System.nanoTime();
    for (int key = 0; key < puts; key++) {
      map.put(key, key);
    }
    double millis = (System.nanoTime() - startNanos) / 1e6;
    return Point.of("millis", millis, "epochMillis", System.currentTimeMillis());
  }

  private static Point await(Map<?, ?> map, int entries) {
    while (map.size() < entries) {
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    return Point.of("epochMillis", System.currentTimeMillis());
  }
}

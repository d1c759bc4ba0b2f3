package dev.tempest.cluster;

import dev.tempest.FrontEndConfig;
import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.admin.Admin;
import dev.tempest.config.NodeConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A process with a node in it, as the tests start it: does what the lines of its input say, and
 * answers each with one line. Ends without a goodbye when its input does.
 */
final class NodeProgram {
  /** In the folder where it runs: what its names stand for, if there is such a file. */
  static final Path HOSTS = Path.of("hosts");

  private final String name;
  private final Node node;
  private final Contents contents;
  private final Map<String, String> lastWords;
  private final Map<List<String>, Admin> admins = new HashMap<>();
  private @Nullable Writer writer;

  /** So many writes of others have come in late. */
  private final LongAdder late = new LongAdder();

  /** So many rounds were written by writers that have ended. */
  private int rounds;

  private NodeProgram(String name, Node node) {
    this.name = name;
    this.node = node;
    this.contents = new Contents(node);
    this.lastWords = node.map("last-words", String.class, String.class);
    node.onReconciled(late::add);
  }

  /** Writes until it is told to end. */
  private final class Writer extends Thread {
    private final long pauseMillis;
    private volatile boolean ending;
    private @Nullable RuntimeException failed;

    Writer(long pauseMillis) {
      super("writer");
      this.pauseMillis = pauseMillis;
    }

    @Override
    public void run() {
      try {
        while (!ending) {
          contents.round(name, rounds);
          rounds++;
          Thread.sleep(pauseMillis);
        }
      } catch (RuntimeException e) {
        failed = e;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void end() throws InterruptedException {
      ending = true;
      join();
      if (failed != null) {
        throw failed;
      }
    }
  }

  /**
   * Joins, and then answers.
   *
   * @param arguments a name, the seconds after which silent members are expelled or "-", and seeds;
   *     where there are seeds, nobody is looked for elsewhere
   */
  public static void main(String[] arguments) throws Exception {
    if (Files.exists(HOSTS)) { // Before the first name is looked up.
      System.setProperty("jdk.net.hosts.file", HOSTS.toString());
      Security.setProperty("networkaddress.cache.ttl", "0");
    }
    Node node =
        arguments.length == 1
            ? Tempest.join()
            : Tempest.join(config(Arrays.asList(arguments).subList(1, arguments.length)));
    NodeProgram program = new NodeProgram(arguments[0], node);
    answer("ready");
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      try {
        answer(program.perform(line.split(" ", -1)));
      } catch (RuntimeException failed) {
        failed.printStackTrace();
        answer("failed: " + failed);
      }
    }
    Runtime.getRuntime().halt(1);
  }

  private static void answer(String answer) {
    System.out.println(HostProcess.ANSWER + answer);
  }

  private static NodeConfig config(List<String> arguments) {
    NodeConfig.Builder config = NodeConfig.builder();
    if (!arguments.getFirst().equals("-")) {
      config.expelAfter(Duration.ofSeconds(Long.parseLong(arguments.getFirst())));
    }
    List<String> seeds = arguments.subList(1, arguments.size());
    if (!seeds.isEmpty()) {
      config.multicastPort(0).loopback(false).seeds(seeds.toArray(String[]::new));
    }
    return config.build();
  }

  private String perform(String[] words) throws IOException, InterruptedException {
    return switch (words[0]) {
      case "members" -> String.join(" ", node.members());
      case "answering" -> answering(Arrays.asList(words).subList(1, words.length));
      case "write" -> write(Long.parseLong(words[1]));
      case "rest" -> rest();
      case "hash" -> contents.hash() + " " + contents.sizes();
      case "missing" -> String.join("; ", contents.missing(rounds(words)));
      case "die" -> writeAndDie(Integer.parseInt(words[1]));
      case "last-words" -> String.valueOf(lastWords.get(words[1]));
      case "late" -> Long.toString(late.sum());
      case "dump" -> String.join(" ", contents.dump(words[1]));
      default -> throw new IllegalArgumentException("unknown command: " + words[0]);
    };
  }

  /** The very moment that so many nodes have what it wrote. */
  private String writeAndDie(int acks) {
    node.batch(acks, () -> lastWords.put(name, "farewell"));
    answer("written");
    Runtime.getRuntime().halt(1);
    return "never";
  }

  /** Which of these servers a front-end on this host gets answers from, the same each time. */
  private String answering(List<String> servers) {
    Admin admin =
        admins.computeIfAbsent(
            List.copyOf(servers), each -> Admin.connect(FrontEndConfig.of(each)));
    return String.join(" ", admin.status().keySet());
  }

  private String write(long pauseMillis) {
    writer = new Writer(pauseMillis);
    writer.start();
    return "writing";
  }

  /** How many rounds were acknowledged in all. */
  private String rest() throws InterruptedException {
    if (writer != null) {
      writer.end();
      writer = null;
    }
    return String.valueOf(rounds);
  }

  private static SortedMap<String, Integer> rounds(String[] words) {
    SortedMap<String, Integer> rounds = new TreeMap<>();
    for (String word : Arrays.asList(words).subList(1, words.length)) {
      String[] pair = word.split("=", 2);
      rounds.put(pair[0], Integer.parseInt(pair[1]));
    }
    return rounds;
  }
}

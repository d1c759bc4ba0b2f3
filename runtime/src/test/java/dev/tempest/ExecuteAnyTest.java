package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.runtime.FreePorts;
import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.Counter;
import dev.tempest.state.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Three servers in this process, from their files on, over loopback. */
class ExecuteAnyTest {
  private static final int NAMES = 50;
  private static final Set<Long> DRAWN = ConcurrentHashMap.newKeySet();

  /** Hands out tickets. */
  public interface Tickets {
    /** A number that nobody can foretell, kept under the name. */
    @Update
    long draw(String name);

    /** What was drawn for the name. */
    @Read
    long drawn(String name);

    /** How many draws there were. */
    @Read
    long draws();
  }

  /** Takes time and random numbers from its process. */
  public static final class TicketService implements Tickets {
    private final Random random = new Random();
    private final Map<String, Long> numbers;
    private final Counter count;

    /** Keeps what was drawn. */
    public TicketService(State state) {
      numbers = state.map("numbers", String.class, Long.class);
      count = state.counter("draws");
    }

    @Override
    public long draw(String name) {
      long number = random.nextLong() ^ System.nanoTime();
      DRAWN.add(number);
      numbers.put(name, number);
      count.increment();
      return number;
    }

    @Override
    public long drawn(String name) {
      return numbers.getOrDefault(name, 0L);
    }

    @Override
    public long draws() {
      return count.get();
    }
  }

  @Test
  void aServiceThatIsNotDeterministicHasOneStateOnAllServers() {
    List<String> addresses = FreePorts.find(3).stream().map(port -> "127.0.0.1:" + port).toList();
    List<Node> servers = new ArrayList<>();
    try {
      for (String address : addresses) {
        servers.add(Tempest.join(config(address, addresses)));
      }
      try (FrontEnd frontEnd = connect(addresses)) {
        Tickets tickets = frontEnd.service("tickets", Tickets.class);
        for (int i = 0; i < NAMES; i++) {
          assertThat(tickets.draw("name " + i)).isIn(DRAWN);
        }
      }
      List<Map<String, Long>> states = new ArrayList<>();
      for (String address : addresses) {
        states.add(numbers(address));
      }
      assertThat(states.get(0)).hasSize(NAMES);
      assertThat(DRAWN).containsAll(states.get(0).values());
      assertThat(states).containsOnly(states.get(0));
    } finally {
      servers.forEach(Node::close);
    }
  }

  /** What a server holds once everything has come to it and nothing of it is counted twice. */
  private static Map<String, Long> numbers(String server) {
    try (FrontEnd frontEnd = connect(List.of(server))) {
      Tickets tickets = frontEnd.service("tickets", Tickets.class);
      eventually("all draws, each once", () -> tickets.draws() == NAMES);
      Map<String, Long> numbers = new TreeMap<>();
      for (int i = 0; i < NAMES; i++) {
        numbers.put("name " + i, tickets.drawn("name " + i));
      }
      return numbers;
    }
  }

  private static FrontEnd connect(List<String> servers) {
    return FrontEnd.connect(
        FrontEndConfig.builder(servers).multicastPort(0).deadline(Duration.ofSeconds(60)).build());
  }

  private static NodeConfig config(String self, List<String> all) {
    return NodeConfig.builder()
        .listen(self)
        .members(all.toArray(String[]::new))
        .multicastPort(0)
        .service(
            ServiceConfig.builder("tickets", TicketService.class.getName())
                .options(ServiceOptions.builder().execute(Execute.ANY).build())
                .build())
        .build();
  }
}

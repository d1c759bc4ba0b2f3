package dev.tempest;

import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Fills a service of three nodes until they refuse more, and says what each of them answers. */
final class FillingServicesProgram {
  private static final int CHARS = 5_000;

  private FillingServicesProgram() {}

  /** Takes the consistency, and the addresses of the nodes. */
  public static void main(String[] arguments) throws Exception {
    ServiceOptions options =
        ServiceOptions.builder().consistency(Consistency.valueOf(arguments[0])).build();
    List<String> members = List.of(arguments).subList(1, arguments.length);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Node>> joining =
          members.stream()
              .map(member -> threads.submit(() -> host(member, members, options)))
              .toList();
      int kept = 0;
      for (Future<Node> joined : joining) {
        kept = fill(joined.get(), kept);
      }
      for (Future<Node> joined : joining) {
        joined.get().close();
      }
    }
  }

  private static Node host(String member, List<String> members, ServiceOptions options) {
    Node node =
        Tempest.join(
            NodeConfig.builder()
                .listen(member)
                .members(members.toArray(String[]::new))
                .multicastPort(0)
                .build());
    node.host("board", Board.class, BoardService::new, options);
    return node;
  }

  /**
   * Fills it at one node.
   *
   * @param kept how many notes it has
   * @return how many it has then
   */
  private static int fill(Node node, int kept) throws InterruptedException {
    FrontEnd frontEnd = node.frontEnd();
    Board board = frontEnd.service("board", Board.class);
    for (int next = kept; ; next++) {
      String name = "note " + next;
      Outcome<String> outcome;
      do {
        outcome =
            frontEnd.outcome(board, each -> each.write(name, ("%0" + CHARS + "d").formatted(0)));
      } while (isToSettle(outcome));
      if (!(outcome instanceof Outcome.Ok)) {
        say(outcome, board.note("note " + (next - 1)));
        return next;
      }
    }
  }

  /** What is written by time faster than it settles is refused as well, for a moment. */
  private static boolean isToSettle(Outcome<String> outcome) throws InterruptedException {
    boolean isSoon =
        outcome instanceof Outcome.Unable<String>(var reason, var detail)
            && detail.contains("wait for all replicas");
    if (isSoon) {
      Thread.sleep(100);
    }
    return isSoon;
  }

  private static void say(Outcome<String> outcome, @Nullable String last) {
    String said =
        outcome instanceof Outcome.Unable<String>(var reason, var detail)
            ? reason + ": " + detail
            : outcome.toString();
    System.out.println(said + "; " + (last == null ? "nothing" : last.length()) + " kept");
  }
}

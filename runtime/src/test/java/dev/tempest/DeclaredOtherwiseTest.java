package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.runtime.Eventually;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that declare one collection in two ways. */
@Timeout(60)
final class DeclaredOtherwiseTest {
  /** What one of them keeps. */
  record Cart(int items) {}

  @AutoClose private final JoinedNodes nodes = new JoinedNodes();

  @Test
  void sayWhatDiffersAndGoOn() {
    try (Logged logged = new Logged()) {
      Node one = nodes.join();
      Node two = nodes.join();
      Map<String, Cart> carts = one.map("carts", String.class, Cart.class);
      Map<String, Long> counts = two.map("carts", String.class, Long.class);
      Map<String, String> tags = one.map("tags", String.class, String.class);
      carts.put("ada", new Cart(1));
      two.set("tags", String.class).add("new");

      awaitLog(
          logged,
          "In collections, another node wrote a "
              + Cart.class.getName()
              + " into map 'carts', which is declared with java.lang.Long here");
      awaitLog(logged, "In collections, 'tags' is declared as a map here and as a set at another");

      counts.put("bob", 2L);
      tags.put("a", "b");
      Eventually.eventually("writes go on", () -> carts.containsKey("bob"));
      assertThat(counts).containsEntry("bob", 2L);
      assertThat(tags).containsEntry("a", "b");
    }
  }

  @Test
  void bothNodesSayThatAServiceIsExecutedOtherwiseAtTheOther() {
    try (Logged logged = new Logged()) {
      Node one = nodes.join();
      Node two = nodes.join();
      one.host("board", Board.class, BoardService::new);
      two.host(
          "board",
          Board.class,
          BoardService::new,
          ServiceOptions.builder().execute(Execute.ANY).build());
      Board here = one.frontEnd().service(Board.class);
      Board there = two.frontEnd().service(Board.class);

      String all = "board is hosted with execute: all here and with execute: any elsewhere";
      String any = "board is hosted with execute: any here and with execute: all elsewhere";
      Eventually.eventually(
          "both say so",
          () -> {
            here.add("a", 1);
            there.add("a", 1);
            return logged.says(all) && logged.says(any);
          });
    }
  }

  @Test
  void nobodyComplainsWhereAServiceIsExecutedAlike() {
    try (Logged logged = new Logged()) {
      for (Execute execute : List.of(Execute.ALL, Execute.ANY)) {
        String name = "board-" + (execute == Execute.ANY ? "any" : "all");
        ServiceOptions options = ServiceOptions.builder().execute(execute).build();
        Node one = nodes.join();
        Node two = nodes.join();
        one.host(name, Board.class, BoardService::new, options);
        two.host(name, Board.class, BoardService::new, options);
        Board here = one.frontEnd().service(name, Board.class);
        Board there = two.frontEnd().service(name, Board.class);
        for (int i = 0; i < 100; i++) {
          here.add("here", 1);
          there.add("there", 1);
        }
        Eventually.eventually(
            "all came", () -> here.count("there") == 100 && there.count("here") == 100);
      }
      assertThat(logged.says("is hosted with execute")).isFalse();
    }
  }

  private static void awaitLog(Logged logged, String text) {
    Eventually.eventually(text, () -> logged.says(text));
  }
}

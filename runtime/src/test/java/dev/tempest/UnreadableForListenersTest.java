package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.Eventually;
import dev.tempest.state.Merge;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** To a listener what its node cannot read is not there; it hears of all else. */
@Timeout(60)
final class UnreadableForListenersTest {
  /** A class that both nodes declare. */
  record Known(int number) {}

  /** A class that only the other node declares. */
  record Other(int number) {}

  @AutoClose private final JoinedNodes nodes = new JoinedNodes();
  private final Node one = nodes.join();
  private final Node two = nodes.join();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  @Test
  void mapsTellOfEveryEntryThatCanBeRead() throws InterruptedException {
    Map<String, Object> ours = one.map("m", String.class, Object.class, Known.class);
    Map<String, Object> theirs = two.map("m", String.class, Object.class, Known.class, Other.class);
    one.listen(ours, (key, before, after) -> heard.add(key + ": " + before + " > " + after));
    try (Logged logged = new Logged()) {
      two.batch(() -> {
        for (int i = 0; i < 10; i++) {
          theirs.put("k" + i, i % 2 == 0 ? new Known(i) : new Other(i));
        }
      });
      for (int i = 0; i < 5; i++) {
        assertThat(heard.poll(10, TimeUnit.SECONDS)).contains("null > Known[number=");
      }
      theirs.put("k0", new Other(0));
      assertHeard("k0: Known[number=0] > null");
      theirs.put("k0", new Known(7));
      assertHeard("k0: null > Known[number=7]");
      theirs.remove("k1");
      theirs.put("end", new Known(1));
      assertHeard("end: null > Known[number=1]");
      Eventually.eventually(
          "it is logged", () -> logged.says("listeners of map 'm' are not told of an entry"));
      assertThat(logged.texts().stream().filter(text -> text.contains("listeners of map")))
          .hasSize(1);
    }
  }

  @Test
  void aMergeWithoutItsFunctionHidesNoOtherEntry() throws InterruptedException {
    Merge<Integer> last = Merge.of("last", (a, b) -> b);
    two.register(last);
    Map<String, Integer> ours = one.map("m", String.class, Integer.class);
    Map<String, Integer> theirs = two.map("m", String.class, Integer.class);
    for (int i = 0; i < 10; i++) {
      theirs.put("k" + i, i);
    }
    Eventually.eventually("all came", () -> ours.size() == 10);
    one.listen(ours, (key, before, after) -> heard.add(key + ": " + before + " > " + after));
    two.batch(() -> {
      for (int i = 0; i < 10; i++) {
        if (i == 5) {
          theirs.put("k5", 50);
        } else {
          theirs.merge("k" + i, 1, last);
        }
      }
    });
    for (int i = 0; i < 9; i++) {
      String gone = heard.poll(10, TimeUnit.SECONDS);
      if ("k5: 5 > 50".equals(gone)) {
        gone = heard.poll(10, TimeUnit.SECONDS);
      }
      assertThat(gone).endsWith(" > null");
    }
  }

  @Test
  void aCopyOfAListBecomesWhatCanBeReadOfIt() {
    List<Object> ours = one.list("l", Object.class, Known.class);
    List<Object> theirs = two.list("l", Object.class, Known.class, Other.class);
    theirs.addAll(List.of(new Other(0), new Known(1), new Other(2), new Known(3)));
    Eventually.eventually("all came", () -> ours.size() == 4);
    List<Object> copy = new CopyOnWriteArrayList<>(List.of(new Known(1), new Known(3)));
    one.listen(
        ours,
        (index, before, after) -> {
          if (before != null) {
            assertThat(copy.remove(index)).isEqualTo(before);
          }
          if (after != null) {
            copy.add(index, after);
          }
        });
    two.batch(() -> {
      theirs.add(1, new Other(4));
      theirs.add(3, new Known(5));
      theirs.add(new Known(6));
    });
    awaitCopy(copy, new Known(1), new Known(5), new Known(3), new Known(6));
    two.batch(() -> {
      theirs.set(0, new Known(7));
      theirs.set(2, new Other(8));
      theirs.removeLast();
      theirs.addLast(new Known(9));
    });
    awaitCopy(copy, new Known(7), new Known(5), new Known(3), new Known(9));
    theirs.subList(0, 4).clear();
    awaitCopy(copy, new Known(3), new Known(9));
  }

  @Test
  void whoThrowsForOneEntryHearsOfTheOthers() throws InterruptedException {
    Map<String, Integer> map = one.map("m", String.class, Integer.class);
    one.listen(
        map,
        (key, before, after) -> {
          heard.add(key);
          throw new IllegalStateException("a listener's bug, logged on purpose");
        });
    one.batch(() -> {
      map.put("a", 1);
      map.put("b", 1);
      map.put("c", 1);
    });
    assertThat(
            List.of(
                String.valueOf(heard.poll(10, TimeUnit.SECONDS)),
                String.valueOf(heard.poll(10, TimeUnit.SECONDS)),
                String.valueOf(heard.poll(10, TimeUnit.SECONDS))))
        .containsExactlyInAnyOrder("a", "b", "c");
  }

  private static void awaitCopy(List<Object> copy, Object... expected) {
    Eventually.eventually("the copy is " + List.of(expected), () -> copy.equals(List.of(expected)));
  }

  private void assertHeard(String expected) throws InterruptedException {
    assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(expected);
  }
}

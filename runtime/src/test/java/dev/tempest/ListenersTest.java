package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tempest.runtime.Eventually;
import dev.tempest.state.Counter;
import dev.tempest.state.TimedMap;
import dev.tempest.state.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners of each kind of collection. */
@Timeout(60)
final class ListenersTest {
  @AutoClose private final JoinedNodes nodes = new JoinedNodes();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  @Test
  void hearOfBothSides() throws InterruptedException {
    Node one = nodes.join();
    TimedMap<String, Integer> ours = one.map("m");
    Map<String, Integer> theirs = nodes.join().map("m");
    Registration registration =
        one.listen(ours, (key, before, after) -> heard.add(key + ": " + before + " > " + after));
    ours.put("a", 1);
    assertHeard("a: null > 1");
    Eventually.eventually("theirs", () -> theirs.containsKey("a"));
    theirs.put("a", 2);
    assertHeard("a: 1 > 2");
    theirs.remove("a");
    assertHeard("a: 2 > null");
    ours.put("b", 1, Duration.ofMillis(50));
    assertHeard("b: null > 1");
    assertHeard("b: 1 > null");
    registration.close();
    ours.put("c", 1);
    NavigableSet<String> set = one.sortedSet("s");
    one.listen(set, (element, present) -> heard.add(element + " " + present));
    set.add("x");
    assertHeard("x true");
    set.remove("x");
    assertHeard("x false");
  }

  @Test
  void hearWhereElementsOfListsAndDequesChange() throws InterruptedException {
    Node node = nodes.join();
    List<String> list = node.list("l");
    list.addAll(List.of("a", "b", "c"));
    node.listen(list, (index, before, after) -> heard.add(index + ": " + before + " > " + after));
    node.batch(() -> {
      list.removeFirst();
      list.set(0, "B");
      list.add("d");
    });
    assertHeard("0: a > null");
    assertHeard("0: b > B");
    assertHeard("2: null > d");
    BlockingDeque<String> deque = node.deque("d");
    node.listen(deque, (index, before, after) -> heard.add(index + ": " + before + " > " + after));
    deque.addFirst("head");
    assertHeard("0: null > head");
    assertThat(deque.poll()).isEqualTo("head");
    assertHeard("0: head > null");
  }

  @Test
  void goOnWhateverOneOfThemThrows() throws InterruptedException {
    Node node = nodes.join();
    Counter counter = node.counter("c");
    node.listen(
        counter,
        (before, after) -> {
          throw new NoClassDefFoundError("of a test");
        });
    node.listen(counter, (before, after) -> heard.add(before + " > " + after));
    counter.increment();
    assertHeard("0 > 1");
    counter.increment();
    assertHeard("1 > 2");
  }

  @Test
  void goOnIfOneOfThemLeavesTheirThreadInterrupted() throws InterruptedException {
    Node node = nodes.join();
    Counter counter = node.counter("c");
    node.listen(counter, (before, after) -> Thread.currentThread().interrupt());
    node.listen(counter, (before, after) -> heard.add(before + " > " + after));
    counter.increment();
    assertHeard("0 > 1");
    counter.increment();
    assertHeard("1 > 2");
  }

  @Test
  void hearOfValuesAndCounters() throws InterruptedException {
    Node one = nodes.join();
    Value<String> value = one.value("v");
    Counter counter = one.counter("c");
    one.listen(value, (before, after) -> heard.add(before + " > " + after));
    one.listen(counter, (before, after) -> heard.add(before + " > " + after));
    Node two = nodes.join();
    two.<String>value("v").set("x");
    assertHeard("null > x");
    two.counter("c").add(3);
    assertHeard("0 > 3");
    value.set(null);
    assertHeard("x > null");
    counter.add(-1);
    assertHeard("3 > 2");
  }

  @Test
  void areForWholeCollectionsOfTheirNode() {
    Node node = nodes.join();
    ConcurrentNavigableMap<String, Integer> map = node.sortedMap("m");
    NavigableSet<String> set = node.sortedSet("s");
    List<String> list = node.list("l");
    node.listen(map.descendingMap(), (key, before, after) -> {});
    for (Map<String, Integer> none : List.of(Map.of("a", 1), map.headMap("b"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> node.listen(none, (key, before, after) -> {}));
    }
    for (Set<String> none : List.of(map.keySet(), set.tailSet("b"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> node.listen(none, (element, present) -> {}));
    }
    list.add("a");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.listen(list.subList(0, 0), (index, before, after) -> {}));
    Counter other = nodes.join().counter("c");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.listen(other, (before, after) -> {}));
  }

  @Test
  void whoThrowsIsCalledAgain() throws InterruptedException {
    Node node = nodes.join();
    Map<String, Integer> map = node.map("m");
    node.listen(
        map,
        (key, before, after) -> {
          heard.add(key);
          throw new IllegalStateException("a listener's bug, logged on purpose");
        });
    map.put("a", 1);
    assertHeard("a");
    map.put("b", 1);
    assertHeard("b");
  }

  private void assertHeard(String expected) throws InterruptedException {
    assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(expected);
  }
}

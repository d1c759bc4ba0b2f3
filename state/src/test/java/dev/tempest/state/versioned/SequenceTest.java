package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.tempest.state.ReadOnlyException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.RandomAccess;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What lists and deques do beyond, or other than, those of the JDK. */
class SequenceTest {
  private final LocalHome home = new LocalHome().with("brief", terms(new Lifetime(1_000, 0, 0)));
  private final List<String> list = home.state.list("list", String.class);
  private final BlockingDeque<String> deque = home.state.deque("deque", 3, String.class);
  private final List<String> brief = home.state.list("brief", String.class);

  private static Terms terms(Lifetime lifetime) {
    return new Terms(lifetime, false);
  }

  @Test
  void everyWriteIsOneAction() {
    List<Runnable> writes =
        List.of(
            () -> list.addAll(List.of("c", "b", "a", "d")),
            () -> list.addAll(2, List.of("x", "y")),
            () -> list.sort(null),
            () -> list.replaceAll(element -> element + element),
            () -> list.removeIf(element -> element.startsWith("x")),
            () -> list.retainAll(List.of("aa", "bb", "cc", "dd")),
            () -> list.removeAll(List.of("aa")),
            () -> list.subList(0, 2).clear(),
            () -> list.set(0, "z"),
            list::removeFirst,
            list::clear,
            () -> deque.addAll(List.of("a", "b", "c")),
            () -> deque.drainTo(new ArrayList<>()));
    for (Runnable write : writes) {
      int before = home.actions;
      write.run();
      assertThat(home.actions).isEqualTo(before + 1);
    }
  }

  @Test
  void iteratorsWalkOverTheMomentWhenTheyWereMade() {
    list.addAll(List.of("a", "b", "c"));
    Iterator<String> iterator = list.iterator();
    iterator.next();
    list.add(0, "first");
    list.remove("b");

    assertThat(iterator.next()).isEqualTo("b");
    iterator.remove(); // It is gone already.
    assertThat(iterator.next()).isEqualTo("c");
    iterator.remove();
    assertThat(iterator).isExhausted();
    assertThat(list).containsExactly("first", "a");
  }

  @Test
  void listIteratorsWriteToTheElementsThatTheyWentOver() {
    list.addAll(List.of("a", "b", "c"));
    ListIterator<String> iterator = list.listIterator();
    iterator.next();
    list.add(0, "first");
    iterator.set("A");
    iterator.add("A2");
    assertThat(iterator.next()).isEqualTo("b");
    list.remove("b");
    assertThatExceptionOfType(ConcurrentModificationException.class)
        .isThrownBy(() -> iterator.set("B"))
        .withMessageContaining("removed");

    assertThat(list).containsExactly("first", "A", "A2", "c");
    assertThat(iterator.previousIndex()).isEqualTo(2);
  }

  @Test
  void functionsMayNotChangeTheListThatTheyCompute() {
    list.addAll(List.of("a", "b"));
    assertThatExceptionOfType(ConcurrentModificationException.class)
        .isThrownBy(() ->
            list.replaceAll(element -> {
              list.add("c");
              return element;
            }));
    assertThatNullPointerException().isThrownBy(() -> list.replaceAll(element -> null));
    assertThat(list).startsWith("a", "b");
  }

  @Test
  void aPartThatIsEmptiedIsFilledAtItsPlace() {
    list.addAll(List.of("a", "b", "c", "d"));
    List<String> part = list.subList(1, 3);
    part.clear();
    list.remove("a");
    list.add("last");
    part.addAll(List.of("x", "z"));
    part.add(1, "y");

    assertThat(list).containsExactly("x", "y", "z", "d", "last");
    assertThat(part).containsExactly("x", "y", "z");
    assertThat(part.subList(1, 2)).containsExactly("y");
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> part.get(3));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> part.subList(2, 1));
  }

  @Test
  void whatIsOverHasNoIndex() {
    brief.addAll(List.of("a", "b"));
    home.nowMillis += 500;
    brief.add(1, "later");
    home.nowMillis += 500;

    assertThat(brief).containsExactly("later").hasSize(1);
    assertThat(brief.get(0)).isEqualTo("later");
    assertThat(brief.indexOf("b")).isEqualTo(-1);
    brief.add("new");
    assertThat(brief.subList(0, 1)).containsExactly("later");
    home.expire();
    assertThat(brief).containsExactly("later", "new");
    home.nowMillis += 1_000;
    assertThat(brief).isEmpty();
  }

  @Test
  @SuppressWarnings("ModifyingCollectionWithItself") // What is refused.
  void holdsAtMostItsCapacity() {
    assertThat(deque.remainingCapacity()).isEqualTo(3);
    assertThatIllegalStateException()
        .isThrownBy(() -> deque.addAll(List.of("a", "b", "c", "d")))
        .withMessageContaining("full");
    assertThat(deque).isEmpty();
    deque.addAll(List.of("a", "b", "c"));
    assertThat(deque.remainingCapacity()).isZero();
    assertThat(deque.offer("d")).isFalse();
    assertThat(deque.offerFirst("d")).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> deque.push("d"));
    assertThatIllegalArgumentException().isThrownBy(() -> deque.addAll(deque));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> home.state.deque("none", 0, String.class))
        .withMessageContaining("'none' is 0");
  }

  @Test
  void drainsAsManyAsAskedForAndKeepsWhatIsRefused() {
    deque.addAll(List.of("a", "b", "c"));
    List<String> drained = new ArrayList<>();
    assertThat(deque.drainTo(drained, 2)).isEqualTo(2);
    assertThat(drained).containsExactly("a", "b");
    assertThat(deque.drainTo(drained, -1)).isZero();
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> deque.drainTo(List.of()));
    assertThat(deque).containsExactly("c");
    assertThatIllegalArgumentException().isThrownBy(() -> deque.drainTo(deque));
  }

  @Test
  void elementsGoInAndOutByValue() {
    List<byte[]> arrays = home.state.list("arrays", byte[].class);
    byte[] outside = {1};
    arrays.add(outside);
    outside[0] = 9;
    arrays.get(0)[0] = 9;
    arrays.iterator().next()[0] = 9;
    arrays.removeIf(element -> {
      element[0] = 9;
      return false;
    });
    arrays.replaceAll(element -> {
      byte[] replacement = element.clone();
      element[0] = 9;
      return replacement;
    });

    assertThat(arrays.contains(new byte[] {1})).isTrue();
    assertThat(arrays.indexOf(new byte[] {9})).isEqualTo(-1);
    assertThat(arrays.remove(new byte[] {1})).isTrue();
  }

  @Test
  void rawTypesCannotSmuggleOtherClassesIn() {
    @SuppressWarnings({"unchecked", "rawtypes"})
    List<Object> raw = (List) list;
    assertThatExceptionOfType(ClassCastException.class).isThrownBy(() -> raw.add(1));
    assertThat(raw.contains(1)).isFalse();
    assertThat(raw.remove((Object) 1)).isFalse();
    assertThat(raw.indexOf(null)).isEqualTo(-1);
  }

  @Test
  void anIndexIsNotFree() {
    assertThat(list).isNotInstanceOf(RandomAccess.class);
    Collections.addAll(list, "b", "d", "a", "c");
    Collections.sort(list);
    assertThat(Collections.binarySearch(list, "c")).isEqualTo(2);
  }

  @Test
  void inAServiceNothingWaits() throws InterruptedException {
    VersionedState state = new VersionedState();
    BlockingDeque<String> queue = state.deque("queue", 1, String.class);
    state.begin(state.emptyVersion(), 0, 0);
    List<Callable<Object>> waiting =
        List.of(
            queue::take,
            queue::takeLast,
            () -> queue.poll(1, TimeUnit.DAYS),
            () -> {
              queue.offer("a");
              queue.put("b");
              return "put";
            });
    for (Callable<Object> call : waiting) {
      assertThatIllegalStateException()
          .isThrownBy(call::call)
          .withMessageContaining("must not block");
    }
    assertThat(queue.take()).isEqualTo("a");
    assertThat(queue.poll(0, TimeUnit.DAYS)).isNull();
    queue.putFirst("c");
    assertThat(queue.pollLast(1, TimeUnit.DAYS)).isEqualTo("c");
  }

  @Test
  void readsAndWritesWhereThatIsAllowed() {
    VersionedState state = new VersionedState();
    List<String> strings = state.list("strings", String.class);
    BlockingDeque<String> queue = state.deque("queue", 1, String.class);
    assertThatIllegalStateException().isThrownBy(strings::size);
    assertThatIllegalStateException().isThrownBy(() -> queue.add("a"));
    state.beginReadOnly(state.emptyVersion(), 0);
    List<Callable<Object>> writes =
        List.of(
            () -> strings.add("a"),
            () -> strings.addAll(List.of()),
            () -> strings.remove("a"),
            () -> strings.removeIf(String::isEmpty),
            () -> queue.offer("a"),
            queue::poll,
            () -> queue.remove("a"));
    for (Callable<Object> write : writes) {
      assertThatExceptionOfType(ReadOnlyException.class).isThrownBy(write::call);
    }
    assertThat(strings).isEmpty();
    assertThat(queue.peek()).isNull();
  }
}

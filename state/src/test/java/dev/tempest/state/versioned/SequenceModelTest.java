package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.BlockingDeque;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists and deques beside those of the JDK, operation by operation, and over versions. */
class SequenceModelTest {
  private final VersionedState state = new VersionedState();
  private final List<Integer> list = state.list("list", Integer.class);
  private final BlockingDeque<Integer> deque = state.deque("deque", 30, Integer.class);

  static LongStream seeds() {
    return Seeds.of(100);
  }

  private record Moment(Version version, List<Integer> list, List<Integer> deque) {}

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void doesWhatTheJdkDoes(long seed) {
    Random random = new Random(seed);
    List<Integer> listModel = new ArrayList<>();
    Deque<Integer> dequeModel = new ArrayDeque<>();
    List<Moment> history = new ArrayList<>();
    Version version = state.emptyVersion();
    for (int step = 0; step < 30; step++) {
      VersionedAction action = state.begin(version, step, seed * 1000 + step);
      for (int i = random.nextInt(10); i >= 0; i--) {
        int operation = random.nextInt(24);
        long choices = random.nextLong();
        assertThat(onList(operation, new Random(choices), list))
            .as("operation %s", operation)
            .isEqualTo(onList(operation, new Random(choices), listModel));
        assertThat(list).isEqualTo(listModel).hasSameHashCodeAs(listModel);
        assertThat(onDeque(operation, new Random(choices), deque))
            .as("operation %s", operation)
            .isEqualTo(onDeque(operation, new Random(choices), dequeModel));
        assertThat(deque).containsExactlyElementsOf(dequeModel);
      }
      Change change = action.change();
      Version after = action.commit();
      assertThat(change.applyTo(version)).isEqualTo(after);
      version = after;
      history.add(new Moment(version, List.copyOf(listModel), List.copyOf(dequeModel)));
    }
    for (Moment moment : history) {
      VersionedAction reading = state.beginReadOnly(moment.version(), 0);
      assertThat(list).isEqualTo(moment.list());
      assertThat(deque).containsExactlyElementsOf(moment.deque());
      reading.abort();
    }
    for (Moment before : history) {
      Moment after = history.get(random.nextInt(history.size()));
      assertThat(followed(list, before, after, before.list())).isEqualTo(after.list());
      assertThat(followed(deque, before, after, before.deque())).isEqualTo(after.deque());
    }
  }

  /** What somebody has who does to a copy what the differences say, one after the other. */
  private List<Integer> followed(
      Object collection, Moment before, Moment after, List<Integer> elements) {
    List<Integer> copy = new ArrayList<>(elements);
    Following following =
        state.<Integer, Integer>follow(
            collection,
            (index, was, is) -> {
              if (was != null) {
                assertThat(copy.remove(index.intValue())).isEqualTo(was);
              }
              if (is != null) {
                copy.add(index, is);
              }
            });
    following.show(before.version(), after.version());
    return copy;
  }

  private static Object onList(int operation, Random random, List<Integer> list) {
    int size = list.size();
    int at = size == 0 ? 0 : random.nextInt(size);
    int place = random.nextInt(size + 1);
    Integer value = random.nextInt(20);
    return switch (operation) {
      case 0, 1, 2 -> list.add(value);
      case 3, 4 -> {
        list.add(place, value);
        yield list.size();
      }
      case 5 -> list.addAll(place, Collections.nCopies(random.nextInt(5), value));
      case 6 -> list.addAll(List.of(value, value + 1));
      case 7 -> size == 0 ? "none" : list.remove(/* index */ at);
      case 8 -> list.remove(/* element */ value);
      case 9 -> size == 0 ? "none" : list.set(at, value);
      case 10 -> List.of(list.indexOf(value), list.lastIndexOf(value), list.contains(value));
      case 11 -> {
        list.sort(random.nextBoolean() ? null : Comparator.reverseOrder());
        yield list.size();
      }
      case 12 -> {
        list.replaceAll(element -> (element + value) % 20);
        yield list.size();
      }
      case 13 -> list.removeIf(element -> element % 5 == value % 5);
      case 14 -> list.retainAll(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, value));
      case 15 -> list.removeAll(List.of(value, 3));
      case 16 -> {
        Collections.shuffle(list, random);
        yield list.size();
      }
      case 17 -> {
        Collections.rotate(list, value);
        yield Collections.frequency(list, value);
      }
      case 18 -> onPart(random, list.subList(Math.min(at, place), Math.max(at, place)));
      case 19 -> size == 0 ? "none" : List.of(list.getFirst(), list.getLast(), list.get(at));
      case 20 -> size < 2 ? "none" : List.of(list.removeFirst(), list.removeLast());
      case 21 -> walk(random, list.listIterator(place));
      case 22 -> list.reversed().stream().map(element -> element + 1).toList();
      default -> {
        if (value == 0) {
          list.clear();
        }
        yield new ArrayList<>(list);
      }
    };
  }

  private static Object onPart(Random random, List<Integer> part) {
    List<Object> results = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      results.add(onList(random.nextInt(24), random, part));
      results.add(new ArrayList<>(part));
    }
    return results;
  }

  private static Object walk(Random random, ListIterator<Integer> iterator) {
    List<Object> results = new ArrayList<>();
    boolean mayWrite = false;
    for (int i = 0; i < 10; i++) {
      results.add(List.of(iterator.nextIndex(), iterator.hasNext(), iterator.hasPrevious()));
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          if (iterator.hasNext()) {
            results.add(iterator.next());
            mayWrite = true;
          }
        }
        case 2 -> {
          if (iterator.hasPrevious()) {
            results.add(iterator.previous());
            mayWrite = true;
          }
        }
        case 3 -> {
          iterator.add(random.nextInt(20));
          mayWrite = false;
        }
        default -> {
          if (mayWrite && random.nextBoolean()) {
            iterator.set(random.nextInt(20));
          } else if (mayWrite) {
            iterator.remove();
            mayWrite = false;
          }
        }
      }
    }
    return results;
  }

  /** The model has no capacity: it takes what there is room for. */
  private static Object onDeque(int operation, Random random, Deque<Integer> deque) {
    Integer value = random.nextInt(20);
    boolean hasRoom = deque.size() < 30;
    boolean takes = hasRoom || deque instanceof BlockingDeque<Integer>;
    return switch (operation) {
      case 0, 1, 2 -> takes && deque.offer(value);
      case 3, 4 -> takes && deque.offerFirst(value);
      case 5 -> hasRoom ? tried(deque, target -> target.add(value)) : "full";
      case 6 -> hasRoom ? tried(deque, target -> push(target, value)) : "full";
      case 7, 8 -> String.valueOf(deque.poll());
      case 9 -> String.valueOf(deque.pollLast());
      case 10 -> tried(deque, Deque::pop);
      case 11 -> tried(deque, Deque::removeLast);
      case 12 -> List.of(String.valueOf(deque.peek()), String.valueOf(deque.peekLast()));
      case 13 -> List.of(tried(deque, Deque::getFirst), tried(deque, Deque::getLast));
      case 14 -> deque.removeFirstOccurrence(value);
      case 15 -> deque.removeLastOccurrence(value);
      case 16 -> deque.remove(value);
      case 17 -> deque.removeIf(element -> element % 7 == value % 7);
      case 18 -> removeEverySecond(deque.iterator());
      case 19 -> removeEverySecond(deque.descendingIterator());
      case 20 -> deque.stream().mapToInt(Integer::intValue).sum();
      case 21 -> deque.size() < 28 && deque.addAll(List.of(value, 1));
      case 22 -> List.of(deque.contains(value), deque.contains(99), deque.isEmpty());
      default -> new ArrayList<>(deque.reversed());
    };
  }

  private static Object push(Deque<Integer> deque, Integer value) {
    deque.push(value);
    return "pushed";
  }

  private static Object removeEverySecond(Iterator<Integer> iterator) {
    List<Integer> seen = new ArrayList<>();
    while (iterator.hasNext()) {
      seen.add(iterator.next());
      if (seen.size() % 2 == 0) {
        iterator.remove();
      }
    }
    return seen;
  }

  private static Object tried(Deque<Integer> deque, Function<Deque<Integer>, Object> operation) {
    try {
      return operation.apply(deque);
    } catch (NoSuchElementException none) {
      return "none";
    }
  }
}

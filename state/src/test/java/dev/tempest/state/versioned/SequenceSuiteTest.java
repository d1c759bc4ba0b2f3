package dev.tempest.state.versioned;

import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.TestStringListGenerator;
import com.google.common.collect.testing.TestStringQueueGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.Feature;
import com.google.common.collect.testing.features.ListFeature;
import com.google.common.collect.testing.testers.ListListIteratorTester;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.function.UnaryOperator;
import junit.framework.Test;
import junit.framework.TestSuite;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/**
 * What the interfaces of the JDK demand of lists and deques, as Google's test library spells it
 * out.
 *
 * <p>Features that do not apply: null as an element (nothing stored is null), failing fast on
 * concurrent modification (iterators walk over their version), Java serialization (collections are
 * handles), set by insertion order or the like.
 */
@RunWith(AllTests.class)
public final class SequenceSuiteTest {
  private SequenceSuiteTest() {}

  @SuppressWarnings("exports") // JUnit finds it only if it is public.
  public static Test suite() {
    TestSuite suite = new TestSuite("sequences of a state");
    suite.addTest(lists("list", list -> list));
    suite.addTest(lists("part of a list", SequenceSuiteTest::partOf));
    suite.addTest(lists("part of a part of a list", list -> partOf(partOf(list))));
    suite.addTest(lists("list the other way round", SequenceSuiteTest::reverse));
    suite.addTest(queues("queue", deque -> deque));
    suite.addTest(queues("queue the other way round", Deque::reversed));
    return suite;
  }

  /** A part with elements on both sides that holds what the list held. */
  private static List<String> partOf(List<String> list) {
    list.addFirst("before");
    list.addLast("after");
    return list.subList(1, list.size() - 1);
  }

  private static List<String> reverse(List<String> list) {
    Collections.reverse(list);
    return list.reversed();
  }

  private static Test lists(String name, UnaryOperator<List<String>> form) {
    return ListTestSuiteBuilder.using(
            new TestStringListGenerator() {
              @Override
              protected List<String> create(String[] elements) {
                VersionedState state = new VersionedState();
                List<String> list = state.list("list", String.class);
                state.begin(state.emptyVersion(), 0, 0);
                list.addAll(List.of(elements));
                return form.apply(list);
              }
            })
        .named(name)
        .withFeatures(features(ListFeature.GENERAL_PURPOSE))
        // In the view of the JDK, of an ArrayList too, remove() is not refused after add().
        .suppressing(
            name.equals("list the other way round")
                ? List.of(ListListIteratorTester.getListIteratorFullyModifiableMethod())
                : List.of())
        .createTestSuite();
  }

  private static Test queues(String name, UnaryOperator<Deque<String>> form) {
    return QueueTestSuiteBuilder.using(
            new TestStringQueueGenerator() {
              @Override
              protected Queue<String> create(String[] elements) {
                VersionedState state = new VersionedState();
                Deque<String> deque = state.deque("deque", 1000, String.class);
                state.begin(state.emptyVersion(), 0, 0);
                Queue<String> queue = form.apply(deque);
                queue.addAll(List.of(elements));
                return queue;
              }
            })
        .named(name)
        .withFeatures(features(CollectionFeature.GENERAL_PURPOSE))
        .createTestSuite();
  }

  private static Feature<?>[] features(Feature<?> writes) {
    return new Feature<?>[] {
      writes,
      CollectionSize.ANY,
      CollectionFeature.GENERAL_PURPOSE,
      CollectionFeature.KNOWN_ORDER,
      CollectionFeature.ALLOWS_NULL_QUERIES
    };
  }
}

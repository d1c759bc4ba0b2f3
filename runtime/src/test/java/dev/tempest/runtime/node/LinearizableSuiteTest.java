package dev.tempest.runtime.node;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringListGenerator;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.TestStringQueueGenerator;
import com.google.common.collect.testing.TestStringSetGenerator;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.TestStringSortedSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.ListFeature;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.testers.ListListIteratorTester;
import dev.tempest.state.State;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Function;
import junit.framework.Test;
import junit.framework.TestSuite;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/**
 * What the interfaces of the JDK demand, as Google's test library spells it out, of collections
 * that a group agrees on: written by one node; read, and written further, at another. What views of
 * sorted ones do, SortedSuiteTest shows.
 */
@RunWith(AllTests.class)
public final class LinearizableSuiteTest {
  private LinearizableSuiteTest() {}

  @SuppressWarnings("exports") // JUnit finds it only if it is public.
  public static Test suite() {
    TestSuite suite = new TestSuite("linearizable collections");
    suite.addTest(maps());
    suite.addTest(sortedMaps());
    suite.addTest(sets());
    suite.addTest(sortedSets());
    suite.addTest(lists());
    suite.addTest(deques());
    return suite;
  }

  /** Of the node that leads or the one that follows, filled by the other. */
  private static <C extends Collection<String>> C filled(
      Function<State, C> declaration, String[] elements) {
    AgreedGroup group = new AgreedGroup(2);
    C here = group.state(0).declare(declaration);
    group.state(1).declare(declaration).addAll(Arrays.asList(elements));
    return here;
  }

  private static <M extends Map<String, String>> M filledMap(
      Function<State, M> declaration, Map.Entry<String, String>[] entries) {
    AgreedGroup group = new AgreedGroup(2);
    M here = group.state(0).declare(declaration);
    M there = group.state(1).declare(declaration);
    for (Map.Entry<String, String> entry : entries) {
      there.put(entry.getKey(), entry.getValue());
    }
    return here;
  }

  private static Test maps() {
    return ConcurrentMapTestSuiteBuilder.using(
            new TestStringMapGenerator() {
              @Override
              protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                return filledMap(state -> state.map("map", String.class, String.class), entries);
              }
            })
        .named("linearizable map")
        .withFeatures(
            CollectionSize.ANY,
            MapFeature.GENERAL_PURPOSE,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE)
        .createTestSuite();
  }

  private static Test sortedMaps() {
    return ConcurrentMapTestSuiteBuilder.using(
            new TestStringSortedMapGenerator() {
              @Override
              protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
                return filledMap(
                    state -> state.sortedMap("map", String.class, String.class), entries);
              }
            })
        .named("linearizable sorted map")
        .withFeatures(
            CollectionSize.SEVERAL,
            MapFeature.GENERAL_PURPOSE,
            CollectionFeature.KNOWN_ORDER,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE)
        .createTestSuite();
  }

  private static Test sets() {
    return SetTestSuiteBuilder.using(
            new TestStringSetGenerator() {
              @Override
              protected Set<String> create(String[] elements) {
                return filled(state -> state.set("set", String.class), elements);
              }
            })
        .named("linearizable set")
        .withFeatures(CollectionSize.ANY, CollectionFeature.GENERAL_PURPOSE)
        .createTestSuite();
  }

  private static Test sortedSets() {
    return SetTestSuiteBuilder.using(
            new TestStringSortedSetGenerator() {
              @Override
              protected SortedSet<String> create(String[] elements) {
                return filled(state -> state.sortedSet("set", String.class), elements);
              }
            })
        .named("linearizable sorted set")
        .withFeatures(
            CollectionSize.SEVERAL,
            CollectionFeature.KNOWN_ORDER,
            CollectionFeature.GENERAL_PURPOSE)
        .createTestSuite();
  }

  private static Test lists() {
    return ListTestSuiteBuilder.using(
            new TestStringListGenerator() {
              @Override
              protected List<String> create(String[] elements) {
                return filled(state -> state.list("list", String.class), elements);
              }
            })
        .named("linearizable list")
        .withFeatures(
            ListFeature.GENERAL_PURPOSE,
            CollectionSize.ANY,
            CollectionFeature.GENERAL_PURPOSE,
            CollectionFeature.KNOWN_ORDER,
            CollectionFeature.ALLOWS_NULL_QUERIES)
        // Tens of thousands of short walks, each on a group of its own: SequenceSuiteTest takes
        // them.
        .suppressing(ListListIteratorTester.getListIteratorFullyModifiableMethod())
        .createTestSuite();
  }

  private static Test deques() {
    return QueueTestSuiteBuilder.using(
            new TestStringQueueGenerator() {
              @Override
              protected Queue<String> create(String[] elements) {
                return filled(state -> state.deque("deque", 1000, String.class), elements);
              }
            })
        .named("linearizable deque")
        .withFeatures(
            CollectionFeature.GENERAL_PURPOSE,
            CollectionSize.ANY,
            CollectionFeature.GENERAL_PURPOSE,
            CollectionFeature.KNOWN_ORDER,
            CollectionFeature.ALLOWS_NULL_QUERIES)
        .createTestSuite();
  }
}

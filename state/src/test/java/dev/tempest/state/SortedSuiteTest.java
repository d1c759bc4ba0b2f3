package dev.tempest.state;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.NavigableSetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.TestStringSortedSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.SortedSet;
import junit.framework.Test;
import junit.framework.TestSuite;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** What the interfaces of the JDK demand of sorted collections and all their views. */
@RunWith(AllTests.class)
public final class SortedSuiteTest {
  private SortedSuiteTest() {}

  @SuppressWarnings("exports") // JUnit finds it only if it is public.
  public static Test suite() {
    TestSuite suite = new TestSuite("sorted collections of a state");
    suite.addTest(maps());
    suite.addTest(sets());
    return suite;
  }

  private static Test maps() {
    return ConcurrentNavigableMapTestSuiteBuilder.using(
            new TestStringSortedMapGenerator() {
              @Override
              protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
                State state = new State();
                NavigableMap<String, String> map =
                    state.sortedMap("map", String.class, String.class);
                state.begin(state.emptyVersion(), 0, 0);
                for (Map.Entry<String, String> entry : entries) {
                  map.put(entry.getKey(), entry.getValue());
                }
                return map;
              }
            })
        .named("sorted map")
        .withFeatures(
            CollectionSize.ANY,
            MapFeature.GENERAL_PURPOSE,
            CollectionFeature.KNOWN_ORDER,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE)
        .createTestSuite();
  }

  private static Test sets() {
    return NavigableSetTestSuiteBuilder.using(
            new TestStringSortedSetGenerator() {
              @Override
              protected SortedSet<String> create(String[] contents) {
                State state = new State();
                NavigableSet<String> set = state.sortedSet("set", String.class);
                state.begin(state.emptyVersion(), 0, 0);
                for (String element : contents) {
                  set.add(element);
                }
                return set;
              }
            })
        .named("sorted set")
        .withFeatures(
            CollectionSize.ANY, CollectionFeature.KNOWN_ORDER, CollectionFeature.GENERAL_PURPOSE)
        .createTestSuite();
  }
}

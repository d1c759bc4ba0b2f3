package dev.tempest.state.versioned;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.TestStringSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import dev.tempest.values.encoding.ValueType;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import junit.framework.Test;
import junit.framework.TestSuite;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** What the interfaces of the JDK demand, as Google's test library spells it out. */
@RunWith(AllTests.class)
public final class CollectionSuiteTest {
  private CollectionSuiteTest() {}

  @SuppressWarnings("exports") // JUnit finds it only if it is public.
  public static Test suite() {
    TestSuite suite = new TestSuite("collections of a state");
    suite.addTest(maps("map", ValueType.of(String.class)));
    suite.addTest(mapsOfNodes());
    suite.addTest(setsOfNodes());
    suite.addTest(maps("map where all keys collide", new BadHash(key -> 0)));
    suite.addTest(sets("set", ValueType.of(String.class)));
    suite.addTest(sets("set where all elements collide", new BadHash(element -> 0)));
    return suite;
  }

  /** Written by one node; read, and written further, at another. */
  private static Test mapsOfNodes() {
    return ConcurrentMapTestSuiteBuilder.using(
            new TestStringMapGenerator() {
              @Override
              protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                LocalHome here = new LocalHome();
                LocalHome there = new LocalHome().to(here);
                Map<String, String> map = here.state.map("map", String.class, String.class);
                Map<String, String> theirs = there.state.map("map", String.class, String.class);
                for (Map.Entry<String, String> entry : entries) {
                  theirs.put(entry.getKey(), entry.getValue());
                }
                return map;
              }
            })
        .named("map of a node, written by another")
        .withFeatures(
            CollectionSize.ANY,
            MapFeature.GENERAL_PURPOSE,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE)
        .createTestSuite();
  }

  private static Test setsOfNodes() {
    return SetTestSuiteBuilder.using(
            new TestStringSetGenerator() {
              @Override
              protected Set<String> create(String[] elements) {
                LocalHome here = new LocalHome();
                LocalHome there = new LocalHome().to(here);
                Set<String> set = here.state.set("set", String.class);
                Set<String> theirs = there.state.set("set", String.class);
                theirs.addAll(Arrays.asList(elements));
                return set;
              }
            })
        .named("set of a node, written by another")
        .withFeatures(CollectionSize.ANY, CollectionFeature.GENERAL_PURPOSE)
        .createTestSuite();
  }

  private static Test maps(String name, ValueType<String> keys) {
    return ConcurrentMapTestSuiteBuilder.using(
            new TestStringMapGenerator() {
              @Override
              protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                VersionedState state = new VersionedState();
                Map<String, String> map =
                    TypedCollections.map(state, "map", keys, ValueType.of(String.class));
                state.begin(state.emptyVersion(), 0, 0);
                for (Map.Entry<String, String> entry : entries) {
                  map.put(entry.getKey(), entry.getValue());
                }
                return map;
              }
            })
        .named(name)
        .withFeatures(
            CollectionSize.ANY,
            MapFeature.GENERAL_PURPOSE,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE)
        .createTestSuite();
  }

  private static Test sets(String name, ValueType<String> elements) {
    return SetTestSuiteBuilder.using(
            new TestStringSetGenerator() {
              @Override
              protected Set<String> create(String[] contents) {
                VersionedState state = new VersionedState();
                Set<String> set = TypedCollections.set(state, "set", elements);
                state.begin(state.emptyVersion(), 0, 0);
                for (String element : contents) {
                  set.add(element);
                }
                return set;
              }
            })
        .named(name)
        .withFeatures(CollectionSize.ANY, CollectionFeature.GENERAL_PURPOSE)
        .createTestSuite();
  }
}

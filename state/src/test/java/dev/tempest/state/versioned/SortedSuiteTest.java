package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.NavigableSetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.TestStringSortedSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.jupiter.api.Test;

/**
 * What the interfaces of the JDK demand of sorted collections and all their views. Tens of
 * thousands of tests: reported one by one, they took three times as long.
 */
final class SortedSuiteTest {
  private static final int TESTS_OF_A_MAP = 33_000;
  private static final int TESTS_OF_A_SET = 3_700;
  private static final int NAMED_MAX = 20;

  @Test
  void aMapOfAService() {
    assertPasses(maps("sorted map", SortedSuiteTest::mapOfAService), TESTS_OF_A_MAP);
  }

  @Test
  void aMapOfANodeWrittenByAnother() {
    assertPasses(maps("sorted map", SortedSuiteTest::mapOfANode), TESTS_OF_A_MAP);
  }

  @Test
  void aSetOfAService() {
    assertPasses(sets("sorted set", SortedSuiteTest::setOfAService), TESTS_OF_A_SET);
  }

  @Test
  void aSetOfANodeWrittenByAnother() {
    assertPasses(sets("sorted set", SortedSuiteTest::setOfANode), TESTS_OF_A_SET);
  }

  private static void assertPasses(TestSuite suite, int testsMin) {
    TestResult result = new TestResult();
    suite.run(result);
    List<TestFailure> failures = new ArrayList<>(Collections.list(result.failures()));
    failures.addAll(Collections.list(result.errors()));
    failures.stream()
        .findFirst()
        .ifPresent(first -> {
          String names =
              failures.stream()
                  .limit(NAMED_MAX)
                  .map(failure -> failure.failedTest().toString())
                  .collect(Collectors.joining("\n"));
          throw new AssertionError(failures.size() + " failed:\n" + names, first.thrownException());
        });
    assertThat(result.runCount()).isGreaterThan(testsMin);
  }

  private static SortedMap<String, String> mapOfAService(List<Map.Entry<String, String>> entries) {
    VersionedState state = new VersionedState();
    SortedMap<String, String> map = state.sortedMap("map", String.class, String.class);
    state.begin(state.emptyVersion(), 0, 0);
    entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
    return map;
  }

  private static SortedMap<String, String> mapOfANode(List<Map.Entry<String, String>> entries) {
    LocalHome here = new LocalHome();
    LocalHome there = new LocalHome().to(here);
    SortedMap<String, String> map = here.state.sortedMap("map", String.class, String.class);
    SortedMap<String, String> theirs = there.state.sortedMap("map", String.class, String.class);
    entries.forEach(entry -> theirs.put(entry.getKey(), entry.getValue()));
    return map;
  }

  private static SortedSet<String> setOfAService(List<String> elements) {
    VersionedState state = new VersionedState();
    SortedSet<String> set = state.sortedSet("set", String.class);
    state.begin(state.emptyVersion(), 0, 0);
    set.addAll(elements);
    return set;
  }

  private static SortedSet<String> setOfANode(List<String> elements) {
    LocalHome here = new LocalHome();
    LocalHome there = new LocalHome().to(here);
    SortedSet<String> set = here.state.sortedSet("set", String.class);
    there.state.sortedSet("set", String.class).addAll(elements);
    return set;
  }

  private static TestSuite maps(
      String name, Function<List<Map.Entry<String, String>>, SortedMap<String, String>> filled) {
    return ConcurrentNavigableMapTestSuiteBuilder.using(
            new TestStringSortedMapGenerator() {
              @Override
              protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
                return filled.apply(Arrays.asList(entries));
              }
            })
        .named(name)
        .withFeatures(
            CollectionSize.ANY,
            MapFeature.GENERAL_PURPOSE,
            CollectionFeature.KNOWN_ORDER,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE)
        .createTestSuite();
  }

  private static TestSuite sets(String name, Function<List<String>, SortedSet<String>> filled) {
    return NavigableSetTestSuiteBuilder.using(
            new TestStringSortedSetGenerator() {
              @Override
              protected SortedSet<String> create(String[] elements) {
                return filled.apply(Arrays.asList(elements));
              }
            })
        .named(name)
        .withFeatures(
            CollectionSize.ANY, CollectionFeature.KNOWN_ORDER, CollectionFeature.GENERAL_PURPOSE)
        .createTestSuite();
  }
}

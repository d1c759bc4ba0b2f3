package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.state.Value;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is stored is decided by contents: the {@code equals} of a user's record is never asked. */
final class OwnEqualsTest {
  /** One account, whatever its balance is. */
  record Account(String id, int balance) implements Comparable<Account> {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Account that && id.equals(that.id);
    }

    @Override
    public int hashCode() {
      return id.hashCode();
    }

    @Override
    public int compareTo(Account other) {
      return id.compareTo(other.id);
    }
  }

  /** Fails whoever compares it. */
  record Touchy(int number) {
    @Override
    public boolean equals(@Nullable Object other) {
      throw new IllegalStateException("asked");
    }

    @Override
    public int hashCode() {
      throw new IllegalStateException("asked");
    }
  }

  private static final Account POOR = new Account("alice", 1);
  private static final Account RICH = new Account("alice", 2);
  private static final Account BOB = new Account("bob", 1);

  private final VersionedState state = new VersionedState();
  private final ConcurrentMap<String, Account> map = state.map("map", String.class, Account.class);
  private final ConcurrentMap<Account, String> keyed =
      state.map("keyed", Account.class, String.class);
  private final ConcurrentNavigableMap<String, Account> sortedMap =
      state.sortedMap("sorted-map", String.class, Account.class);
  private final ConcurrentNavigableMap<Account, String> sortedKeyed =
      state.sortedMap("sorted-keyed", Account.class, String.class);
  private final Map<Integer, byte[]> arrays =
      state.sortedMap("arrays", Integer.class, byte[].class);
  private final List<byte[]> arrayList = state.list("array-list", byte[].class);
  private final Set<String> names = state.set("names", String.class);
  private final List<String> nameList = state.list("name-list", String.class);
  private final Set<Account> set = state.set("set", Account.class);
  private final NavigableSet<Account> sorted = state.sortedSet("sorted", Account.class);
  private final List<Account> list = state.list("list", Account.class);
  private final BlockingDeque<Account> deque = state.deque("deque", 10, Account.class);
  private final Value<Account> value = state.value("value", Account.class);
  private final ConcurrentMap<Integer, Touchy> touchy =
      state.map("touchy", Integer.class, Touchy.class);
  private final Set<Touchy> touchySet = state.set("touchy-set", Touchy.class);

  @Test
  void aWriteOfOtherContentsIsMade() {
    state.begin(state.emptyVersion(), 0, 0);
    map.put("a", POOR);
    map.put("a", RICH);
    list.add(POOR);
    list.set(0, RICH);
    value.set(POOR);
    value.set(RICH);

    assertThat(map.get("a")).extracting(Account::balance).isEqualTo(2);
    assertThat(list.getFirst().balance()).isEqualTo(2);
    assertThat(value.get()).extracting(Account::balance).isEqualTo(2);
  }

  @Test
  void aConditionHoldsForTheSameContentsOnly() {
    state.begin(state.emptyVersion(), 0, 0);
    map.put("a", POOR);
    value.set(POOR);
    list.add(POOR);

    assertThat(map.replace("a", RICH, new Account("bob", 1))).isFalse();
    assertThat(map.remove("a", RICH)).isFalse();
    assertThat(value.compareAndSet(RICH, null)).isFalse();
    assertThat(list.contains(RICH)).isFalse();
    assertThat(list.remove(RICH)).isFalse();
    assertThat(map.replace("a", POOR, RICH)).isTrue();
  }

  @Test
  void bulkRemovalsOfValuesGoByContents() {
    state.begin(state.emptyVersion(), 0, 0);
    for (Map<String, Account> each : List.of(map, sortedMap, sortedMap.descendingMap())) {
      each.put("a", POOR);

      assertThat(each.values().remove(RICH)).isFalse();
      assertThat(each.values().removeAll(List.of(RICH))).isFalse();
      assertThat(each.values().removeAll(Set.of(RICH))).isFalse();
      assertThat(each.values().retainAll(List.of(POOR))).isFalse();
      assertThat(each).hasSize(1);
      assertThat(each.values().retainAll(List.of(RICH))).isTrue();
      assertThat(each).isEmpty();
      each.put("a", POOR);
      assertThat(each.values().remove(POOR)).isTrue();
      each.put("a", POOR);
      assertThat(each.values().removeAll(List.of(RICH, POOR))).isTrue();
      assertThat(each).isEmpty();
    }
  }

  @Test
  void bulkRemovalsOfEntriesGoByContents() {
    state.begin(state.emptyVersion(), 0, 0);
    for (Map<String, Account> each : List.of(map, sortedMap, sortedMap.descendingMap())) {
      each.put("a", POOR);
      each.put("b", POOR);
      List<Map.Entry<String, Account>> other = List.of(Map.entry("a", RICH), Map.entry("b", RICH));
      List<Map.Entry<String, Account>> many =
          List.of(Map.entry("a", RICH), Map.entry("b", RICH), Map.entry("c", RICH));
      List<Map.Entry<String, Account>> both =
          List.of(Map.entry("a", RICH), Map.entry("a", POOR), Map.entry("c", POOR));

      assertThat(each.entrySet().removeAll(other.subList(0, 1))).isFalse();
      assertThat(each.entrySet().removeAll(many)).isFalse();
      assertThat(each.entrySet().retainAll(both)).isTrue();
      assertThat(each).containsOnlyKeys("a");
      assertThat(each.entrySet().retainAll(other)).isTrue();
      assertThat(each).isEmpty();
    }
  }

  @Test
  void bulkRemovalsOfKeysAndElementsGoByContents() {
    state.begin(state.emptyVersion(), 0, 0);
    List<Collection<Account>> views =
        List.of(
            set,
            sorted,
            sorted.descendingSet(),
            keyed.keySet(),
            sortedKeyed.keySet(),
            list,
            list.reversed(),
            deque,
            deque.reversed());
    for (Collection<Account> each : views) {
      fill();
      assertThat(each.removeAll(List.of(RICH))).isFalse();
      assertThat(each.removeAll(List.of(RICH, BOB, new Account("bob", 2)))).isFalse();
      assertThat(each.removeAll(Set.of(RICH, BOB))).isFalse();
      assertThat(each.retainAll(List.of(POOR))).isFalse();
      assertThat(each.size()).isEqualTo(1);
      assertThat(each.retainAll(List.of(RICH))).isTrue();
      assertThat(each.size()).isZero();
      fill();
      assertThat(each.removeAll(List.of(RICH, BOB, POOR))).isTrue();
      assertThat(each.size()).isZero();
    }
  }

  private void fill() {
    for (Collection<Account> each : List.of(set, sorted, list, deque)) {
      each.clear();
      each.add(POOR);
    }
    keyed.put(POOR, "");
    sortedKeyed.put(POOR, "");
  }

  @Test
  void arraysAreRemovedByTheirContents() {
    state.begin(state.emptyVersion(), 0, 0);
    byte[] seven = {7};
    for (int i = 0; i < 4; i++) {
      arrays.put(i, seven);
      arrayList.add(seven);
    }

    assertThat(arrays.values().remove(new byte[] {7})).isTrue();
    assertThat(arrays).hasSize(3);
    assertThat(arrays.entrySet().removeAll(List.of(Map.entry(3, new byte[] {7})))).isTrue();
    assertThat(arrays).hasSize(2);
    assertThat(arrays.entrySet().retainAll(List.of(Map.entry(1, new byte[] {7})))).isTrue();
    assertThat(arrays).containsOnlyKeys(1);
    assertThat(arrays.values().retainAll(List.of(new byte[] {7}))).isFalse();
    assertThat(arrays.values().removeAll(List.of(new byte[] {7}))).isTrue();
    assertThat(arrays).isEmpty();
    assertThat(arrayList.retainAll(List.of(new byte[] {7}))).isFalse();
    assertThat(arrayList.removeAll(List.of(new byte[] {7}))).isTrue();
    assertThat(arrayList).isEmpty();
  }

  @Test
  void whatTheArgumentSaysOfItsContentsIsNotAsked() {
    state.begin(state.emptyVersion(), 0, 0);
    Set<String> anyCase = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.add("A");
    for (Collection<String> each : List.of(names, nameList)) {
      each.add("a");
      each.add("b");

      assertThat(each.removeAll(anyCase)).isFalse();
      assertThat(each.removeAll(Arrays.asList("x", null, 1))).isFalse();
      assertThat(each.retainAll(Arrays.asList("a", null, 1))).isTrue();
      assertThat(each).containsExactly("a");
    }
  }

  @Test
  void keysAndElementsOfOtherContentsAreOthers() {
    state.begin(state.emptyVersion(), 0, 0);
    for (int balance = 0; balance < 100; balance++) {
      Account account = new Account("alice", balance);
      keyed.put(account, "balance " + balance);
      set.add(account);
      sorted.add(account);
    }

    assertThat(keyed).hasSize(100);
    assertThat(keyed.get(new Account("alice", 70))).isEqualTo("balance 70");
    assertThat(keyed.containsKey(new Account("alice", 100))).isFalse();
    assertThat(set.size()).isEqualTo(100);
    assertThat(set.contains(new Account("alice", 100))).isFalse();
    assertThat(sorted.size()).isEqualTo(100);
    assertThat(sorted.contains(new Account("alice", 100))).isFalse();
  }

  @Test
  void whatFailsToCompareIsStored() {
    Version one = written(1);
    Version other = written(2);

    assertThat(one).isEqualTo(written(1));
    assertThat(one).isNotEqualTo(other);
    assertThatIllegalStateException().isThrownBy(() -> new Touchy(1).equals(null));
  }

  private Version written(int number) {
    VersionedAction action = state.begin(state.emptyVersion(), 0, 0);
    touchy.put(1, new Touchy(0));
    touchy.put(1, new Touchy(number));
    touchySet.add(new Touchy(0));
    touchySet.add(new Touchy(number));
    touchySet.remove(new Touchy(0));
    return action.commit();
  }
}

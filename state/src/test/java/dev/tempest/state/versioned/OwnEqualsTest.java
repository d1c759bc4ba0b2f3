package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.state.Value;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
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

  private final VersionedState state = new VersionedState();
  private final ConcurrentMap<String, Account> map = state.map("map", String.class, Account.class);
  private final ConcurrentMap<Account, String> keyed =
      state.map("keyed", Account.class, String.class);
  private final Set<Account> set = state.set("set", Account.class);
  private final NavigableSet<Account> sorted = state.sortedSet("sorted", Account.class);
  private final List<Account> list = state.list("list", Account.class);
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

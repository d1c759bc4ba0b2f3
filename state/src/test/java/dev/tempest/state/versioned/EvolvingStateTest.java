package dev.tempest.state.versioned;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.state.Merge;
import dev.tempest.state.TimedMap;
import dev.tempest.state.Value;
import dev.tempest.values.encoding.Bytes;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two releases of a service share its state. */
class EvolvingStateTest {
  /** A record in the old release. */
  record Account1(String owner, long cents) {}

  /** The same record in the new release. */
  record Account2(String owner, long cents, @Nullable String note, @Nullable Address2 address) {}

  /** The same record, of which a component has another type. */
  record Account3(String owner, String cents) {}

  /** What the new release adds. */
  record Address2(String street) {}

  sealed interface Payment {}

  /** A payment in both releases. */
  record Card(long number) implements Payment {}

  /** The family in the new release, which is called as the old one there. */
  sealed interface Paying permits Card2, Cash2 {}

  record Card2(long number) implements Paying {}

  record Cash2(long cents) implements Paying {}

  private final VersionedState older = new VersionedState();
  private final VersionedState newer = new VersionedState();
  private final TimedMap<String, Account1> oldAccounts =
      older.map("accounts", String.class, Account1.class);
  private final Map<String, Account2> newAccounts =
      newer.map("accounts", String.class, Account2.class);
  private final Map<String, Paying> added = newer.map("payments", String.class, Paying.class);

  private static Version write(VersionedState state, Version before, Runnable writes) {
    VersionedAction action = state.begin(before, 0, 0);
    writes.run();
    return action.commit();
  }

  /** As if both classes had one name. */
  private static Bytes renamed(Bytes bytes, Class<?> from, Class<?> to) {
    assertThat(from.getName()).hasSameSizeAs(to.getName());
    String hex = HexFormat.of().formatHex(bytes.toArray());
    return Bytes.of(HexFormat.of().parseHex(hex.replace(hex(from), hex(to))));
  }

  private static String hex(Class<?> type) {
    return HexFormat.of().formatHex(type.getName().getBytes(UTF_8));
  }

  private Version newVersion() {
    return write(
        newer,
        newer.emptyVersion(),
        () -> {
          newAccounts.put("ann", new Account2("Ann", 100, "vip", new Address2("Main")));
          newAccounts.put("bob", new Account2("Bob", 200, null, null));
          added.put("p", new Cash2(5));
        });
  }

  private Version atOlder(Version version) {
    return WholeVersion.read(
        older, renamed(WholeVersion.bytes(newer, version), Account2.class, Account1.class));
  }

  private Bytes fromOlder(Version version) {
    return renamed(WholeVersion.bytes(older, version), Account1.class, Account2.class);
  }

  @Test
  void collectionsAndComponentsThatAreNotKnownArePassedOn() {
    Version version = newVersion();
    Version there = atOlder(version);
    write(
        older, there, () -> assertThat(oldAccounts.get("ann")).isEqualTo(new Account1("Ann", 100)));
    assertThat(fromOlder(there)).isEqualTo(WholeVersion.bytes(newer, version));
  }

  @Test
  void whatTheNewReleaseWroteIsRemovedByTheContentsThatTheOldOneKnows() {
    Version there = atOlder(newVersion());
    Account1 ann = new Account1("Ann", 100);
    Account1 bob = new Account1("Bob", 200);
    write(
        older,
        there,
        () -> {
          assertThat(oldAccounts.containsValue(ann)).isTrue();
          assertThat(oldAccounts.values().retainAll(List.of(ann, bob))).isFalse();
          assertThat(oldAccounts.values().removeAll(List.of(ann))).isTrue();
          assertThat(oldAccounts.entrySet().retainAll(List.of(Map.entry("bob", bob)))).isFalse();
          assertThat(oldAccounts).containsOnlyKeys("bob");
        });
  }

  /** Both releases execute the same update: they come to the same state. */
  @Test
  void componentsThatAreNotKnownSurviveAnUpdate() {
    Version version = newVersion();
    Version there =
        write(
            older,
            atOlder(version),
            () -> {
              oldAccounts.put("ann", new Account1("Ann", 150));
              oldAccounts.merge("bob", new Account1("", 50), EvolvingStateTest::plus);
            });
    Version here =
        write(
            newer,
            version,
            () -> {
              newAccounts.put("ann", new Account2("Ann", 150, "vip", new Address2("Main")));
              newAccounts.put("bob", new Account2("Bob", 250, null, null));
            });
    assertThat(fromOlder(there)).isEqualTo(WholeVersion.bytes(newer, here));
    Version again =
        write(
            older,
            there,
            () -> {
              assertThat(oldAccounts.get("ann")).isEqualTo(new Account1("Ann", 150));
              oldAccounts.remove("ann");
              oldAccounts.put("ann", new Account1("Ann", 1));
            });
    Version anew =
        write(newer, here, () -> newAccounts.put("ann", new Account2("Ann", 1, null, null)));
    assertThat(fromOlder(again))
        .describedAs("what was removed leaves nothing")
        .isEqualTo(WholeVersion.bytes(newer, anew));
  }

  /** However the same value is put in place of what was there. */
  @Test
  void componentsThatAreNotKnownSurviveEveryKindOfWrite() {
    Account1 before = new Account1("Ann", 100);
    Account1 after = new Account1("Ann", 150);
    Merge<Account1> plus = Merge.of("plus", EvolvingStateTest::plus);
    older.register(plus);
    List<Runnable> kinds =
        List.of(
            () -> oldAccounts.merge("ann", new Account1("", 50), plus),
            () -> oldAccounts.put("ann", after),
            () -> oldAccounts.replace("ann", after),
            () -> assertThat(oldAccounts.replace("ann", before, after)).isTrue(),
            () -> oldAccounts.entrySet().iterator().next().setValue(after),
            () -> oldAccounts.put("ann", after, Duration.ofDays(1)),
            () -> {
              oldAccounts.put("ann", before, Duration.ofDays(1));
              oldAccounts.put("ann", after, Duration.ofDays(1));
            });
    Version version =
        write(
            newer,
            newer.emptyVersion(),
            () -> newAccounts.put("ann", new Account2("Ann", 100, "vip", null)));
    for (Runnable kind : kinds) {
      Version there = write(older, atOlder(version), kind);
      Version back = WholeVersion.read(newer, fromOlder(there));
      write(
          newer,
          back,
          () ->
              assertThat(newAccounts.get("ann")).isEqualTo(new Account2("Ann", 150, "vip", null)));
    }
  }

  @Test
  void componentsThatAreNotKnownSurviveACompareAndSet() {
    Value<Account2> newOwner = newer.value("owner", Account2.class);
    Value<Account1> oldOwner = older.value("owner", Account1.class);
    Version version =
        write(
            newer, newer.emptyVersion(), () -> newOwner.set(new Account2("Ann", 100, "vip", null)));
    Version there =
        write(
            older,
            atOlder(version),
            () -> oldOwner.compareAndSet(new Account1("Ann", 100), new Account1("Ann", 150)));
    write(
        newer,
        WholeVersion.read(newer, fromOlder(there)),
        () -> assertThat(newOwner.get()).isEqualTo(new Account2("Ann", 150, "vip", null)));
  }

  private static Account1 plus(Account1 one, Account1 other) {
    return new Account1(one.owner(), one.cents() + other.cents());
  }

  @Test
  void aClassThatIsNotKnownIsKeptAndNotRead() {
    VersionedState one = new VersionedState();
    Map<String, Payment> payments = one.map("payments", String.class, Payment.class);
    Version there = WholeVersion.read(one, WholeVersion.bytes(newer, newVersion()));
    assertThatExceptionOfType(UnreadableValueException.class)
        .isThrownBy(() -> write(one, there, () -> payments.get("p")))
        .withMessageContaining("Cash2");
    assertThat(WholeVersion.bytes(one, there)).isEqualTo(WholeVersion.bytes(newer, newVersion()));
  }

  @Test
  void aComponentOfAnotherTypeIsRefusedByName() {
    VersionedState one = new VersionedState();
    one.map("accounts", String.class, Account3.class);
    Bytes bytes = renamed(WholeVersion.bytes(newer, newVersion()), Account2.class, Account3.class);
    assertThatExceptionOfType(UnreadableStateException.class)
        .isThrownBy(() -> WholeVersion.read(one, bytes))
        .withMessageContainingAll("map 'accounts'", "component cents of", "Account3");
  }

  @Test
  void aValueOfAnotherClassIsRefusedByName() {
    VersionedState one = new VersionedState();
    one.map("accounts", String.class, Long.class);
    assertThatExceptionOfType(UnreadableStateException.class)
        .isThrownBy(() -> WholeVersion.read(one, WholeVersion.bytes(newer, newVersion())))
        .withMessageContainingAll("map 'accounts'", "Account2", "java.lang.Long");
  }
}

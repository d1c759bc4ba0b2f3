package dev.tempest.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.OverloadedException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What becomes of sessions that are written at the same time, and of what is left of them. */
abstract class ConflictsSuite extends TwoProcesses {
  private Map<AttributeKey, byte[]> attributes() {
    return oneNode().sortedMap(name + "-attributes", AttributeKey.class, byte[].class);
  }

  private NavigableSet<IndexKey> indexes() {
    return oneNode().sortedSet(name + "-indexes", IndexKey.class);
  }

  /** As after a logout while a login gives the session another id. */
  @Test
  void aSessionThatEndsWhileItsIdChangesStaysEnded() {
    listen();
    Session session = saved("user", "alice");
    Session meanwhile = atOther(session.id());
    String id = meanwhile.changeId();
    meanwhile.set("late", 1);
    meanwhile.accessed(Instant.now().plusSeconds(5));
    otherNode()
        .batch(() -> {
          boolean isThere = other.contains(session.key());
          session.invalidate(); // Of which the batch knows nothing.
          return isThere && meanwhile.save();
        });
    eventually(() -> other.size() == 0 && one.size() == 0);
    assertThat(ends).containsExactly(SessionEnd.INVALIDATED);
    assertThat(one.contains(session.key())).isFalse();
    assertThat(one.find(id)).isEmpty();
    assertThat(other.find(id)).isEmpty();
    for (Sessions each : List.of(one, other)) {
      each.store().removeOrphans(each.store().removeOrphans(Set.of()));
    }
    assertThat(one.find(id)).isEmpty();
    var ids = oneNode().<String, UUID>map(name, String.class, UUID.class);
    // What the other one has removed is still on its way.
    eventually(() -> ids.isEmpty() && one.store().touches().isEmpty() && attributes().isEmpty());
  }

  @Test
  void whatBelongsToNoSessionIsRemoved() {
    Session session = saved("user", "alice");
    session.index("principal", "alice");
    String before = session.id();
    session.changeId();
    session.save();
    UUID nobody = new UUID(1, 1);
    attributes().put(new AttributeKey(nobody, "orphan"), new byte[1]);
    var ids = oneNode().<String, UUID>map(name, String.class, UUID.class);
    ids.put("orphan", nobody);
    ids.put("lost against another one", session.key());
    SessionStore store = one.store();
    store.touches().put(nobody, 1L);
    indexes().add(new IndexKey("principal", "alice", nobody));
    indexes().add(new IndexKey("principal", "lost against another one", session.key()));

    Set<Object> orphans = store.removeOrphans(Set.of());
    assertThat(orphans)
        .containsExactlyInAnyOrder(
            nobody,
            "orphan",
            "lost against another one",
            new IndexKey("principal", "alice", nobody),
            new IndexKey("principal", "lost against another one", session.key()));
    assertThat(store.attributes(nobody)).hasSize(1);
    assertThat(store.removeOrphans(orphans)).isEmpty();
    assertThat(store.attributes(nobody)).isEmpty();
    assertThat(store.touches().keySet()).containsExactly(session.key());
    assertThat(ids.keySet()).containsExactly(session.id()).doesNotContain(before);
    assertThat(indexes()).containsExactly(new IndexKey("principal", "alice", session.key()));
    assertThat(atOne(session.id()).get("user")).isEqualTo("alice");
    assertThat(one.findByIndex("principal", "alice")).hasSize(1);
  }

  /** Ids that lead to no session. */
  private Map<String, UUID> idsOfNobody() {
    Map<String, UUID> ids = oneNode().map(name, String.class, UUID.class);
    Set.of("one", "two", "three").forEach(each -> ids.put(each, new UUID(1, 1)));
    return ids;
  }

  private Orphans orphans(Orphans.Change change) {
    return new Orphans(one.store(), SessionCollections.of(oneNode(), name), change);
  }

  @Test
  void anOrphanThatCannotBeRemovedKeepsNoOtherFromIt() {
    Map<String, UUID> ids = idsOfNobody();
    Set<String> nobodys = Set.copyOf(ids.keySet());
    AtomicInteger writes = new AtomicInteger();
    Orphans orphans =
        orphans(removing -> {
          if (writes.incrementAndGet() == 1) {
            throw new IllegalStateException("as asked for");
          }
          return oneNode().batch(1, removing);
        });
    try (Logged logged = new Logged(Orphans.class)) {
      Set<Object> left = orphans.remove(nobodys);
      assertThat(left).hasSize(1).isEqualTo(ids.keySet());
      assertThat(logged.records()).hasSize(1);
      assertThat(logged.records().getFirst().getThrown()).hasMessage("as asked for");
      assertThat(orphans.remove(left)).isEmpty();
      assertThat(ids).isEmpty();
      assertThat(logged.records()).hasSize(1);
    }
  }

  /** Each would wait as long, and sessions that expire with it. */
  @Test
  void aSweepEndsOnceNothingCanBeWritten() {
    Map<String, UUID> ids = idsOfNobody();
    Set<String> nobodys = Set.copyOf(ids.keySet());
    AtomicInteger writes = new AtomicInteger();
    Orphans orphans =
        orphans(removing -> {
          writes.incrementAndGet();
          throw new OverloadedException("as asked for");
        });
    try (Logged logged = new Logged(Orphans.class)) {
      assertThat(orphans.remove(nobodys)).isEqualTo(nobodys);
      assertThat(writes).hasValue(1);
      assertThat(logged.records()).hasSize(1);
    }
  }

  @Test
  void anIndexFindsOnlySessionsThatHaveItsValueNow() {
    Session session = saved("user", "alice");
    session.index("principal", "alice");
    session.save();
    indexes().add(new IndexKey("principal", "of another time", session.key()));
    assertThat(one.findByIndex("principal", "of another time")).isEmpty();
    assertThat(one.findByIndex("principal", "alice")).hasSize(1);
  }

  /** As with two versions of a web application that are deployed in parallel. */
  @Test
  void aProcessHasTheSessionsUntilTheLastOfItsUsersIsGone() {
    Set<String> hosts = oneNode().set(name + "-hosts", String.class);
    String address = oneNode().members().getFirst();
    eventually(() -> hosts.contains(address));
    Sessions second = Sessions.of(oneNode(), one.config());
    second.close();
    second.close();
    assertThat(hosts).contains(address);
    one.close();
    assertThat(hosts).doesNotContain(address);
  }

  @Test
  void aValueThatCannotBeSavedAnyMoreKeepsNoOtherFromBeingSaved() {
    Session session = one.create();
    List<Object> cart = new ArrayList<>(List.of("apple"));
    session.set("cart", cart);
    session.set("user", "alice");
    session.set("view", "list");
    cart.add(Thread.currentThread());
    assertThatThrownBy(session::save)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot be kept in a session");
    assertThat(atOne(session.id()).names()).containsExactly("cart", "user", "view");
    assertThat(atOne(session.id()).get("cart")).isEqualTo(List.of("apple"));
    session.set("view", "table");
    assertThat(session.save()).isTrue();
    assertThat(atOne(session.id()).get("view")).isEqualTo("table");
  }

  @Test
  void norDoesOneThatWasOnlyRead() {
    open(config -> config.saveMode(SaveMode.ON_GET));
    Session request = atOne(saved("cart", new ArrayList<Object>(List.of("apple"))).id());
    @SuppressWarnings("unchecked")
    List<Object> cart = (List<Object>) Objects.requireNonNull(request.get("cart"));
    cart.add(Thread.currentThread());
    request.set("user", "alice");
    assertThatThrownBy(request::save).isInstanceOf(IllegalArgumentException.class);
    assertThat(atOne(request.id()).get("user")).isEqualTo("alice");
    assertThat(atOne(request.id()).get("cart")).isEqualTo(List.of("apple"));
  }

  @Test
  void aTouchSavesNothingElseAndCountsAlsoWhenAClockWentBack() {
    Session session = saved("user", "alice");
    Instant first = session.accessed();
    Session request = atOne(session.id());
    request.set("user", "bob");
    assertThat(request.touch(first.plusMillis(999))).isTrue();
    assertThat(atOne(session.id()).accessed()).isEqualTo(first);
    assertThat(request.touch(first.minusMillis(1_000))).isTrue();
    assertThat(atOne(session.id()).accessed()).isEqualTo(first.minusMillis(1_000));
    assertThat(atOne(session.id()).get("user")).isEqualTo("alice");
    assertThat(one.create().touch(first)).isTrue();
    session.invalidate();
    assertThat(request.touch(first.plusSeconds(5))).isFalse();
  }

  private static void reuseOften(Session session, Session before) {
    for (int i = 0; i < 20_000; i++) {
      session.reuseValuesOf(before, true);
    }
  }

  @Test
  void requestsThatReuseValuesOfEachOtherDoNotWaitForEachOther() throws InterruptedException {
    Session first = saved("cart", new ArrayList<>(List.of("apple")));
    Session second = atOne(first.id());
    Thread there = Thread.ofPlatform().daemon().start(() -> reuseOften(first, second));
    Thread back = Thread.ofPlatform().daemon().start(() -> reuseOften(second, first));
    there.join();
    back.join();
    assertThat(second.get("cart")).isSameAs(first.get("cart"));
  }

  @Test
  void whatWasRemovedIsNotReused() {
    Session first = saved("cart", new ArrayList<>(List.of("apple")));
    Session second = atOne(first.id());
    second.reuseValuesOf(first, false);
    Session remover = atOne(first.id());
    remover.remove("cart");
    remover.save();
    Session third = atOne(first.id());
    third.reuseValuesOf(second, false);
    remover.set("cart", new ArrayList<>(List.of("apple")));
    remover.save();
    assertThat(third.get("cart")).isEqualTo(first.get("cart")).isNotSameAs(first.get("cart"));
  }

  /** A map loses the room that it has to spare, and so looks different after it was read. */
  @Test
  void aValueThatWasOnlyReadIsNotSavedAlsoIfItComesBackInOtherBytes() {
    open(config -> config.saveMode(SaveMode.ON_GET));
    Map<String, String> roomy = new HashMap<>(64);
    roomy.put("fruit", "apple");
    String id = saved("cart", roomy).id();
    Session reader = atOne(id);
    assertThat(reader.get("cart")).isEqualTo(roomy);
    Session winner = atOne(id);
    winner.set("cart", Map.of("fruit", "pear"));
    winner.save();
    reader.set("user", "alice");
    reader.save();
    assertThat(atOne(id).get("cart")).isEqualTo(Map.of("fruit", "pear"));
  }

  /** While it is written or read, once. */
  private static final AtomicReference<Runnable> MEANWHILE = new AtomicReference<>();

  private static final class Slow implements Serializable {
    private static final long serialVersionUID = 1;
    volatile int count;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(count);
      MEANWHILE.getAndSet(() -> {}).run();
    }

    private void readObject(ObjectInputStream in) throws IOException {
      count = in.readInt();
      MEANWHILE.getAndSet(() -> {}).run();
    }
  }

  private static void useElsewhere(Session session) {
    MEANWHILE.set(() -> {
      Thread other =
          Thread.ofVirtual()
              .start(() -> {
                session.get("user");
                session.set("user", "bob");
              });
      try {
        other.join();
      } catch (InterruptedException late) {
        throw new IllegalStateException(late);
      }
    });
  }

  /** As a thread may have locked a value, which then waits for that lock. */
  @Test
  void anotherThreadUsesTheSessionWhileAValueIsEncodedOrDecoded() {
    open(config -> config.saveMode(SaveMode.ON_GET));
    MEANWHILE.set(() -> {});
    Session session = saved("user", "alice");
    useElsewhere(session);
    session.set("slow", new Slow());
    useElsewhere(session);
    session.save();
    Session request = atOne(session.id());
    useElsewhere(request);
    assertThat(request.get("slow")).isInstanceOf(Slow.class);
    assertThat(request.get("user")).isEqualTo("bob");
    Session second = atOne(session.id());
    MEANWHILE.set(() -> second.set("slow", 1));
    assertThat(second.get("slow")).isEqualTo(1);
  }

  @Test
  void anotherThreadUsesTheSessionWhileAListenerIsTold() {
    one.listen(
        new SessionListener() {
          @Override
          public void created(Session session) {
            useElsewhere(session);
            MEANWHILE.getAndSet(() -> {}).run();
          }

          @Override
          public void ended(Session session, SessionEnd why) {
            // Only beginnings count.
          }
        });
    assertThat(atOne(saved("user", "alice").id()).get("user")).isEqualTo("bob");
  }

  @Test
  void ofTwoThreadsThatSetTheSameObjectTheLaterEncodingCounts() {
    MEANWHILE.set(() -> {});
    Session session = saved("user", "alice");
    Slow slow = new Slow();
    MEANWHILE.set(() -> {
      slow.count = 1;
      session.set("slow", slow);
      session.save();
    });
    session.set("slow", slow);
    session.saveAsSet();
    assertThat(slowCount(session)).isEqualTo(1);
  }

  @Test
  void ofTwoThreadsThatSaveTheSameObjectTheLaterEncodingCounts() {
    open(config -> config.saveMode(SaveMode.ON_GET));
    MEANWHILE.set(() -> {});
    Session session = saved("slow", new Slow());
    Session request = atOne(session.id());
    Slow slow = (Slow) Objects.requireNonNull(request.get("slow"));
    slow.count = 1;
    MEANWHILE.set(() -> {
      slow.count = 2;
      request.save();
    });
    request.save();
    assertThat(slowCount(session)).isEqualTo(2);
  }

  private int slowCount(Session session) {
    return ((Slow) Objects.requireNonNull(atOne(session.id()).get("slow"))).count;
  }
}

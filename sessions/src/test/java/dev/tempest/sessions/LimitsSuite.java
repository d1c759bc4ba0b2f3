package dev.tempest.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is accepted can be saved, found and ended. */
abstract class LimitsSuite extends ConflictsSuite {
  private static final int MIB = 1 << 20;

  /** Of 3 bytes each, in UTF-8. */
  private static String longName(int number) {
    return "%04d".formatted(number) + "€".repeat(1_020);
  }

  @Test
  void aNameThatIsTooLongIsRefusedAndNoneAtAllToThoseWhoAskForIt() {
    Session session = saved("user", "alice");
    String tooLong = "n".repeat(1_025);
    assertThatThrownBy(() -> session.set(tooLong, 1))
        .isInstanceOf(SessionLimitException.class)
        .hasMessageContaining("the name of an attribute has at most 1,024 characters, not 1,025")
        .hasMessageContaining(": nnnnn");
    assertThat(one.counts().refused()).isEqualTo(1);
    assertThat(session.get(tooLong)).isNull();
    session.remove(tooLong);
    session.remove("n".repeat(17 * MIB));
    session.remove("\0max-inactive");
    session.set("n".repeat(1_024), 1);
    assertThat(session.save()).isTrue();
    assertThat(atOther(session.id()).names()).contains("user");
    assertThat(atOne(session.id()).names()).containsExactly("n".repeat(1_024), "user");
  }

  @Test
  void namesCountTowardsTheBytesOfASession() {
    open(config -> config.attributesMax(2_000));
    Session session = one.create();
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                session.set(longName(i), 1);
              }
            })
        .isInstanceOf(SessionLimitException.class)
        .hasMessageContaining("sessionMaxBytes");
    open(config -> config.sessionMaxBytes(1_000));
    Session small = one.create();
    assertThatThrownBy(() -> small.set("n".repeat(1_000), 1))
        .isInstanceOf(SessionLimitException.class)
        .hasMessageContaining("the session takes 1,005 bytes, and may take 1,000")
        .hasMessageContaining("raise sessionMaxBytes, to 12,582,912 at most");
  }

  /** Each of the requests keeps to the limits, and all together exceed them: more than a change. */
  @Test
  void aSessionThatConcurrentRequestsMadeTooLargeEndsAllTheSame() {
    listen();
    Session session = saved("user", "alice");
    List<Session> requests = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      Session request = atOne(session.id());
      for (int each = 0; each < 990; each++) {
        request.set(longName(990 * i + each), true);
      }
      requests.add(request);
    }
    requests.forEach(Session::save);
    assertThat(session.names()).hasSize(7 * 990 + 1);
    assertThat(session.invalidate()).isTrue();
    assertThat(one.find(session.id())).isEmpty();
    eventually(() -> other.find(session.id()).isEmpty());
    assertThat(ends).containsExactly(SessionEnd.INVALIDATED);
    SessionStore store = one.store();
    store.removeOrphans(store.removeOrphans(Set.of()));
    assertThat(store.names(session.key())).isEmpty();
  }

  @Test
  void limitsThatASaveCannotKeepAreRefused() {
    SessionsConfig.Builder config = SessionsConfig.builder();
    assertThatThrownBy(config.sessionMaxBytes(12 * MIB + 1)::build)
        .hasMessage("sessionMaxBytes must be 1 to 12,582,912, not 12,582,913");
    assertThatThrownBy(config.sessionMaxBytes(1).attributeMaxBytes(12 * MIB + 1)::build)
        .hasMessage("attributeMaxBytes must be 1 to 12,582,912, not 12,582,913");
    assertThatThrownBy(config.attributeMaxBytes(1).attributesMax(10_001)::build)
        .hasMessage("attributesMax must be 1 to 10,000, not 10,001");
  }

  /** The fullest session that can be, in place of another one, with indexes. */
  @Test
  void whatTheHighestLimitsAcceptIsSaved() {
    open(config ->
        config
            .attributeMaxBytes(12 * MIB)
            .sessionMaxBytes(12 * MIB)
            .attributesMax(10_000)
            .maxInactive(Duration.ZERO));
    Session session = one.create();
    for (int i = 0; i < 1_000; i++) {
      session.set("n".repeat(1_000) + i, i);
    }
    session.save();
    session.names().forEach(session::remove);
    for (int i = 0; i < 9_999; i++) {
      session.set("%04d".formatted(i), i);
    }
    session.set("large", new byte[12 * MIB - 9_999 * 9 - 5 - 27]);
    for (int i = 0; i < 20; i++) {
      session.index("€".repeat(1_000) + i, "€".repeat(1_024));
    }
    session.changeId();
    session.maxInactive(Duration.ofHours(1));
    assertThat(session.save()).isTrue();
    assertThat(atOne(session.id()).names()).hasSize(10_000).contains("large");
    assertThat(session.invalidate()).isTrue();
  }

  @Test
  void whatARequestChangesBeyondASaveIsRefusedAndAllElseIsSaved() {
    Session session = saved("user", "alice");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                session.remove(longName(i));
              }
            })
        .isInstanceOf(SessionLimitException.class)
        .hasMessageContaining("one save writes 15,728,640: save before");
    assertThatThrownBy(() -> session.index("principal", "alice"))
        .isInstanceOf(SessionLimitException.class);
    assertThat(session.save()).isTrue();
    session.index("principal", "alice");
    assertThat(session.save()).isTrue();
    assertThat(one.findByIndex("principal", "alice")).hasSize(1);
  }

  @Test
  void valuesThatGrowInPlaceBeyondTheLimitKeepNoOtherFromBeingSaved() {
    Session session = one.create();
    List<List<byte[]>> growing = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      growing.add(new ArrayList<>());
      session.set("list" + i, growing.get(i));
    }
    growing.forEach(each -> each.add(new byte[MIB - 1_000]));
    assertThatThrownBy(session::save)
        .isInstanceOf(SessionLimitException.class)
        .hasMessageContaining("may take 4,194,304");
    assertThat(atOne(session.id()).names()).hasSize(20);
    assertThat(one.store().attributes(session.key()).values())
        .filteredOn(bytes -> bytes.length > MIB / 2)
        .hasSize(4);
  }

  @Test
  void anIndexFindsAnyValueThatItAccepts() {
    Session session = saved("user", "alice");
    for (String value : List.of("", "é𝄞", "\uD834", "?", "a\uDD1E", "€".repeat(1_024))) {
      session.index("principal", value);
      session.save();
      assertThat(one.findByIndex("principal", value)).as(value).hasSize(1);
      eventually(() -> other.findByIndex("principal", value).size() == 1);
      assertThat(one.store().removeOrphans(Set.of())).isEmpty();
    }
    assertThat(one.findByIndex("principal", "\uD834")).isEmpty();
    assertThatThrownBy(() -> session.index("principal", "x".repeat(1_025)))
        .isInstanceOf(SessionLimitException.class)
        .hasMessageContaining("the value of the index principal has at most 1,024 characters");
    assertThatThrownBy(() -> session.index("x".repeat(1_025), "alice"))
        .isInstanceOf(SessionLimitException.class);
    assertThat(one.counts().refused()).isEqualTo(2);
  }

  @Test
  void timesThatCannotBeCountAsTheFirstOrLastOne() {
    Session session = saved("user", "alice");
    session.maxInactive(Duration.ZERO);
    session.accessed(Instant.MAX);
    assertThat(session.save()).isTrue();
    assertThat(atOne(session.id()).accessed()).isEqualTo("9999-12-31T23:59:59.999Z");
    session.accessed(Instant.MIN);
    assertThat(session.accessed()).isEqualTo(Instant.EPOCH);
    assertThat(session.save()).isTrue();
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    open(config -> config.maxInactive(longest).touchEvery(longest));
    assertThat(atOne(saved("user", "bob").id()).maxInactive()).isZero();
  }

  /** Fails as assertions of an application do. */
  private static final class Failing implements Serializable {
    private static final long serialVersionUID = 1;
    static volatile boolean writes;
    static volatile boolean reads;

    private void writeObject(ObjectOutputStream out) throws IOException {
      if (!writes) {
        throw new AssertionError("not written");
      }
      out.defaultWriteObject();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      if (!reads) {
        throw new AssertionError("not read");
      }
      in.defaultReadObject();
    }
  }

  @Test
  void aValueThatFailsToBeWrittenKeepsNoOtherFromBeingSaved() {
    Failing.writes = true;
    Session session = one.create();
    session.set("failing", new Failing());
    session.set("user", "alice");
    Failing.writes = false;
    assertThatThrownBy(session::save)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LimitsSuite$Failing cannot be kept in a session")
        .hasMessageContaining("not written");
    assertThat(atOne(session.id()).get("user")).isEqualTo("alice");
    assertThatThrownBy(() -> session.set("another", new Failing()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aValueThatFailsToBeReadStaysAndCanBeReplacedAndRemoved() {
    Failing.writes = true;
    Failing.reads = false;
    String id = saved("failing", new Failing()).id();
    Session request = atOne(id);
    assertThat(request.get("failing")).isNull();
    assertThat(one.counts().unreadable()).isEqualTo(1);
    request.set("user", "alice");
    assertThat(request.save()).isTrue();
    Failing.reads = true;
    assertThat(atOne(id).get("failing")).isInstanceOf(Failing.class);
    Failing.reads = false;
    request = atOne(id);
    request.set("failing", "replaced");
    assertThat(request.save()).isTrue();
    assertThat(atOne(id).get("failing")).isEqualTo("replaced");
    request.set("failing", new Failing());
    request.save();
    request = atOne(id);
    request.remove("failing");
    assertThat(request.save()).isTrue();
    assertThat(atOne(id).names()).containsExactly("user");
  }
}

package dev.tempest.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What two processes that have the same sessions see of them, whatever the consistency. */
abstract class SessionsSuite extends LimitsSuite {
  private static final Class<IllegalArgumentException> REFUSED = IllegalArgumentException.class;

  @Test
  void whatOneSavesTheOtherReads() {
    Session session = saved("user", "alice");
    assertThat(atOther(session.id()).get("user")).isEqualTo("alice");
    assertThat(atOther(session.id()).names()).containsExactly("user");
    assertThat(atOther(session.id()).isNew()).isFalse();
    assertThat(one.size()).isEqualTo(1);
  }

  @Test
  void nobodySeesWhatIsNotSaved() {
    Session session = one.create();
    assertThat(session.isNew()).isTrue();
    assertThat(one.find(session.id())).isEmpty();
    session.save();
    session.set("user", "alice");
    assertThat(atOne(session.id()).get("user")).isNull();
    assertThat(session.names()).containsExactly("user");
  }

  /** spring-projects/spring-session#311, #1471. */
  @Test
  void concurrentRequestsLoseNoAttributeOfEachOther() {
    Session here = saved("before", 0);
    Session there = atOther(here.id());
    here.set("a", 1);
    there.set("b", 2);
    here.remove("before");
    here.save();
    there.save();
    eventually(() -> List.of("a", "b").equals(List.copyOf(atOther(here.id()).names())));
    eventually(() -> atOne(here.id()).names().size() == 2);
    assertThat(atOne(here.id()).get("b")).isEqualTo(2);
  }

  /** spring-projects/spring-session#227, #1270. */
  @Test
  void anotherIdKeepsEverythingAlsoWhatAnotherRequestIsAboutToSave() {
    Session session = saved("user", "alice");
    String before = session.id();
    Session meanwhile = atOther(before);
    session.changeId();
    String after = session.changeId();
    assertThat(one.find(before)).isPresent();
    session.save();
    assertThat(one.find(before)).isEmpty();
    assertThat(atOther(after).get("user")).isEqualTo("alice");
    meanwhile.set("late", 1);
    assertThat(meanwhile.save()).isTrue();
    eventually(() -> Integer.valueOf(1).equals(atOne(after).get("late")));
    eventually(() -> other.find(before).isEmpty());
  }

  @Test
  void aSessionIsInvalidatedOnceAndStaysEnded() {
    listen();
    Session session = saved("user", "alice");
    Session meanwhile = atOther(session.id());
    assertThat(session.invalidate()).isTrue();
    assertThat(session.invalidate()).isFalse();
    assertThat(one.find(session.id())).isEmpty();
    eventually(() -> other.find(session.id()).isEmpty());
    meanwhile.set("late", 1);
    assertThat(meanwhile.save()).isFalse();
    assertThat(meanwhile.invalidate()).isFalse();
    assertThat(other.find(session.id())).isEmpty();
    assertThat(ends).containsExactly(SessionEnd.INVALIDATED);
    assertThat(attributesAtEnd).containsExactly("alice");
    assertThat(one.size()).isZero();
    assertThat(one.counts().invalidated()).isEqualTo(1);
  }

  @Test
  void aSessionExpiresOnceAndListenersSeeWhatItHad() {
    open(config -> config.touchEvery(Duration.ZERO));
    listen();
    Session session = saved("user", "alice");
    Instant later = session.created().plusMillis(100);
    session.accessed(later);
    session.maxInactive(Duration.ofMillis(300));
    assertThat(session.save()).isTrue();
    eventually(() -> !ends.isEmpty());
    assertThat(one.find(session.id())).isEmpty();
    assertThat(accessedAtEnd).containsExactly(later);
    eventually(() -> one.size() == 0 && other.size() == 0);
    assertThat(ends).containsExactly(SessionEnd.EXPIRED);
    assertThat(attributesAtEnd).containsExactly("alice");
    assertThat(one.counts().expired() + other.counts().expired()).isEqualTo(1);
  }

  @Test
  void listenersOfItsEndSeeTheTimeOfASessionThatHadItsOwn() {
    open(config -> config.touchEvery(Duration.ZERO));
    listen();
    Session session = saved("user", "alice");
    session.maxInactive(Duration.ofMinutes(7));
    assertThat(session.save()).isTrue();
    assertThat(session.invalidate()).isTrue();
    Session expiring = saved("user", "bob");
    expiring.maxInactive(Duration.ofMillis(200));
    assertThat(expiring.save()).isTrue();
    eventually(() -> ends.size() == 2);
    assertThat(timesAtEnd).containsExactly(Duration.ofMinutes(7), Duration.ofMillis(200));
  }

  @Test
  void whatAListenerSetsWhenASessionBeginsIsSaved() {
    one.listen(
        new SessionListener() {
          @Override
          public void created(Session session) {
            session.set("greeting", "hello");
          }

          @Override
          public void ended(Session session, SessionEnd why) {
            // Only beginnings count.
          }
        });
    Session session = saved("user", "alice");
    eventually(() -> "hello".equals(atOther(session.id()).get("greeting")));
    assertThat(atOther(session.id()).get("user")).isEqualTo("alice");
  }

  @Test
  void whatARequestHasKeptAliveDoesNotExpire() {
    Session session = saved("user", "alice");
    assertThat(one.expire(new Expiry.Gone(session.key(), Optional.empty()))).isFalse();
    assertThat(atOne(session.id()).get("user")).isEqualTo("alice");
  }

  /** Whoever has begun it writes no more by then. */
  @Test
  void aLifeThatIsShortenedElsewhereAsASessionBeginsCountsAtOnce() {
    open(config -> config.touchEvery(Duration.ZERO));
    for (int i = 0; i < 300; i++) {
      Session request = atOther(saved("user", "alice").id());
      request.maxInactive(Duration.ofMillis(200));
      request.save();
    }
    eventually(() -> one.size() == 0);
  }

  @Test
  void aRequestKeepsItAlive() {
    open(config -> config.maxInactive(Duration.ofMillis(400)).touchEvery(Duration.ZERO));
    Session session;
    Instant first;
    do {
      session = one.create();
      first = Instant.now().plusSeconds(1);
      session.accessed(first);
      session.save();
    } while (!isProlonged(session.id(), first));
    Instant end = first.plusMillis(400);
    eventually(() -> Instant.now().isAfter(end));
    assertThat(atOne(session.id()).accessed()).isAfter(first);
    assertThat(atOther(session.id()).save()).isTrue();
    Session request = atOther(session.id());
    request.accessed(first);
    request.save();
    String id = session.id();
    eventually(() -> one.find(id).isEmpty());
  }

  /** Not if the machine took so long that it may have ended before. */
  private boolean isProlonged(String id, Instant first) {
    eventually(() -> other.find(id).isPresent() || Instant.now().isAfter(first));
    other
        .find(id)
        .ifPresent(request -> {
          request.accessed(first.plusSeconds(60));
          request.save();
        });
    eventually(() ->
        one.find(id).filter(found -> found.accessed().isAfter(first)).isPresent()
            || Instant.now().isAfter(first));
    return Instant.now().isBefore(first);
  }

  /** As an upload is, which begins before other requests and ends after them. */
  @Test
  void aRequestThatWasLongOnItsWayUndoesNoLaterOne() {
    open(config -> config.touchEvery(Duration.ZERO));
    Session session = saved("user", "alice");
    Session slow = atOne(session.id());
    Session fast = atOne(session.id());
    Instant later = session.accessed().plusSeconds(60);
    slow.accessed(later.minusSeconds(30));
    fast.accessed(later);
    fast.save();
    slow.save();
    assertThat(atOne(session.id()).accessed()).isEqualTo(later);
    slow.accessed(later.plusSeconds(1));
    slow.save();
    assertThat(atOne(session.id()).accessed()).isEqualTo(later.plusSeconds(1));
  }

  @Test
  void aTimeIsOfMillisecondsAndAVeryLongOneMeansNever() {
    Session session = saved("user", "alice");
    session.maxInactive(ChronoUnit.FOREVER.getDuration());
    assertThat(session.maxInactive()).isZero();
    session.maxInactive(Duration.ofMinutes(1).plusNanos(1));
    session.save();
    assertThat(atOne(session.id()).maxInactive()).isEqualTo(Duration.ofMillis(60_001));
  }

  @Test
  void whenItEndsCanBeChanged() {
    Session session = saved("user", "alice");
    session.maxInactive(Duration.ofMinutes(7));
    session.save();
    eventually(() -> atOther(session.id()).maxInactive().equals(Duration.ofMinutes(7)));
    session.accessed(Instant.now().minus(Duration.ofMinutes(8)));
    session.save();
    eventually(() -> one.find(session.id()).isEmpty() && other.find(session.id()).isEmpty());
  }

  @Test
  void aRequestThatChangesNothingSaysSoOnceASecond() {
    Session session = saved("user", "alice");
    Instant first = session.accessed();
    Session request = atOne(session.id());
    request.accessed(first.plusMillis(999));
    request.save();
    assertThat(atOne(session.id()).accessed()).isEqualTo(first);
    request.accessed(first.plusMillis(1000));
    request.save();
    assertThat(atOne(session.id()).accessed()).isEqualTo(first.plusMillis(1000));
  }

  @Test
  void sessionsAreFoundByAnIndex() {
    Session session = saved("user", "alice");
    session.index("principal", "alice");
    session.save();
    Session second = one.create();
    second.index("principal", "alice");
    second.save();
    eventually(() -> other.findByIndex("principal", "alice").size() == 2);
    session.index("principal", "bob");
    session.save();
    assertThat(one.findByIndex("principal", "alice"))
        .extracting(Session::id)
        .containsExactly(second.id());
    assertThat(one.findByIndex("principal", "bob"))
        .extracting(Session::id)
        .containsExactly(session.id());
    second.invalidate();
    assertThat(one.findByIndex("principal", "alice")).isEmpty();
    assertThat(atOther(session.id()).indexes()).containsExactly("principal");
    session.index("principal", null);
    session.index("tenant", "acme");
    assertThat(session.indexes()).containsExactly("tenant");
    session.index("tenant", null);
    session.save();
    assertThat(session.indexes()).isEmpty();
    assertThat(one.findByIndex("principal", "bob")).isEmpty();
    assertThat(session.names()).containsExactly("user");
  }

  /** spring-projects/spring-session#529. */
  @Test
  void anAttributeThatCannotBeReadHereStays() {
    Session session = saved("cart", new OfOneRelease(3));
    session.set("user", "alice");
    session.save();
    open(config -> config.codec(new WithoutTheClass()));
    Session there = atOther(session.id());
    eventually(() -> "alice".equals(there.get("user")));
    assertThat(there.get("cart")).isNull();
    there.set("late", 1);
    assertThat(there.save()).isTrue();
    assertThat(there.names()).containsExactly("cart", "late", "user");
    assertThat(other.counts().unreadable()).isEqualTo(1);
    open(config -> config);
    assertThat(atOne(session.id()).get("cart")).isEqualTo(new OfOneRelease(3));
  }

  /** What a codec of an application throws where a list holds it. */
  private record Failing(AttributeCodec codec, List<Throwable> failure) implements AttributeCodec {
    private void fail() {
      for (Throwable each : failure) {
        if (each instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) each;
      }
    }

    @Override
    public byte[] encode(Object value) {
      if (value instanceof List) {
        fail();
      }
      return codec.encode(value);
    }

    @Override
    public Object decode(byte[] bytes) throws UnreadableAttributeException {
      Object value = codec.decode(bytes);
      if (value instanceof List) {
        fail();
      }
      return value;
    }
  }

  @Test
  void anAttributeWhoseCodecFailsKeepsNoOtherFromBeingReadAndSaved() {
    List<Throwable> failure = new ArrayList<>();
    AttributeCodec codec = AttributeCodec.javaSerialization(Failing.class.getClassLoader());
    open(config -> config.saveMode(SaveMode.ON_GET).codec(new Failing(codec, failure)));
    for (Throwable each :
        List.of(
            new StackOverflowError(),
            new NoClassDefFoundError("Missing"),
            new IllegalStateException("as asked for"))) {
      failure.clear();
      Session session = saved("cart", new ArrayList<>(List.of("apple")));
      session.set("user", "alice");
      failure.add(each);
      assertThatThrownBy(() -> session.set("other", List.of())).isExactlyInstanceOf(REFUSED);
      assertThatThrownBy(session::save).isExactlyInstanceOf(REFUSED).hasCause(each);
      Session request = atOne(session.id());
      assertThat(request.get("user")).isEqualTo("alice");
      assertThat(request.get("cart")).isNull();
      assertThat(request.names()).containsExactly("cart", "user");
      request.set("user", "bob");
      assertThat(request.save()).isTrue();
      failure.clear();
      assertThat(atOne(session.id()).get("cart")).isEqualTo(List.of("apple"));
    }
  }

  @Test
  void aValueThatChangesAfterItWasSetIsSavedAsItIs() {
    Session session = one.create();
    List<String> cart = new ArrayList<>();
    session.set("cart", cart);
    cart.add("apple");
    session.save();
    cart.add("lost, as others' lists are");
    session.save();
    assertThat(atOne(session.id()).get("cart")).isEqualTo(List.of("apple"));
  }

  @Test
  void aValueThatChangesInPlaceIsSavedIfSoConfigured() {
    open(config -> config.saveMode(SaveMode.ON_GET));
    Session session = saved("cart", new ArrayList<>(List.of("apple")));
    Session request = atOther(session.id());
    @SuppressWarnings("unchecked")
    List<String> cart = (List<String>) Objects.requireNonNull(request.get("cart"));
    cart.add("pear");
    request.save();
    eventually(() -> List.of("apple", "pear").equals(atOne(session.id()).get("cart")));
  }

  @Test
  void allIsSavedIfSoConfigured() {
    open(config -> config.saveMode(SaveMode.ALWAYS));
    Session session = saved("a", 1);
    Session request = atOne(session.id());
    Session winner = atOne(session.id());
    winner.set("a", 2);
    request.set("b", 1);
    assertThat(request.get("a")).isEqualTo(1);
    winner.save();
    request.save();
    assertThat(atOne(session.id()).get("a")).isEqualTo(1);
  }

  @Test
  void whatIsTooLargeOrTooMuchIsRefused() {
    open(config ->
        config.attributeMaxBytes(500).sessionMaxBytes(800).attributesMax(2).sessionsMax(1));
    Session session = one.create();
    assertThatThrownBy(() -> session.set("image", new byte[1_000]))
        .isInstanceOf(SessionLimitException.class)
        .hasMessageContaining("the attribute image takes 1,027 bytes, and may take 500");
    session.set("a", new byte[400]);
    session.save();
    assertThatThrownBy(() -> session.set("b", new byte[400]))
        .isInstanceOf(SessionLimitException.class)
        .hasMessageContaining("with the attribute b the session takes 856 bytes, and may take 800");
    session.set("a", new byte[300]);
    session.set("b", 1);
    assertThatThrownBy(() -> session.set("c", 1))
        .isInstanceOf(SessionLimitException.class)
        .hasMessageContaining("a session has at most 2");
    assertThat(session.save()).isTrue();
    Session second = one.create();
    assertThatThrownBy(second::save)
        .isInstanceOf(SessionLimitException.class)
        .hasMessageContaining("there are 1 sessions, and may be no more");
    assertThat(one.counts().refused()).isEqualTo(4);
    assertThat(one.counts().created()).isEqualTo(1);
  }

  @Test
  void whatCannotBeEncodedIsRefusedWhereItIsSet() {
    Session session = one.create();
    assertThatThrownBy(() -> session.set("thread", Thread.currentThread()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.Thread cannot be kept in a session");
    assertThatThrownBy(() -> session.set("\0max-inactive", 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> session.set("", 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> session.set("\uFFFFx", 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void idsThatWeNeverGaveAreCountedAndNotFound() {
    for (String id : List.of("", "x", "../../etc/passwd", "a".repeat(10_000), "é".repeat(32))) {
      assertThat(one.find(id)).isEmpty();
    }
    assertThat(one.counts().malformed()).isEqualTo(5);
    assertThat(one.find("a".repeat(32))).isEmpty();
  }

  @Test
  void tokensThatWeNeverGaveAreCountedAndNotWaitedFor() throws InterruptedException {
    String hour = Long.toString(System.currentTimeMillis() - 3_600_000, 36);
    for (String token : List.of("", ".", "x", "1", "zz.zz", "-1." + "A".repeat(9_000), "1.é")) {
      assertThat(one.awaitSeen(List.of(token))).isTrue();
    }
    assertThat(one.counts().malformed()).isEqualTo(7);
    String own = one.seen(List.of());
    assertThat(one.awaitSeen(List.of(own))).isTrue();
    assertThat(one.awaitSeen(List.of(hour + own.substring(own.indexOf('.'))))).isTrue();
    String later = Long.toString(System.currentTimeMillis() + 3_600_000, 36);
    assertThat(one.awaitSeen(List.of(later + own.substring(own.indexOf('.'))))).isTrue();
    assertThat(one.counts().waits()).isZero();
  }

  private record OfOneRelease(int items) implements Serializable {}

  /** As at an instance of another release. */
  private static final class WithoutTheClass implements AttributeCodec {
    private final AttributeCodec codec =
        AttributeCodec.javaSerialization(WithoutTheClass.class.getClassLoader());

    @Override
    public byte[] encode(Object value) {
      return codec.encode(value);
    }

    @Override
    public Object decode(byte[] bytes) throws UnreadableAttributeException {
      Object value = codec.decode(bytes);
      if (value instanceof OfOneRelease) {
        return AttributeCodec.javaSerialization(ClassLoader.getPlatformClassLoader())
            .decode(changed(bytes));
      }
      return value;
    }

    /** The name of a class that nobody has. */
    private static byte[] changed(byte[] bytes) {
      byte[] changed = bytes.clone();
      for (int i = 0; i < changed.length - 3; i++) {
        if (changed[i] == 'O' && changed[i + 1] == 'f' && changed[i + 2] == 'O') {
          changed[i] = 'X';
        }
      }
      return changed;
    }
  }
}

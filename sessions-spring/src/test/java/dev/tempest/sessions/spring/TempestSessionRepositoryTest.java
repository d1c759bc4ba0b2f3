package dev.tempest.sessions.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.sessions.SaveMode;
import dev.tempest.sessions.SessionLimitException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.session.FlushMode;

/** What Spring Session asks of a repository. */
final class TempestSessionRepositoryTest extends TwoInstances {
  private static Instant millisBefore(Duration time) {
    return Instant.now().minus(time).truncatedTo(ChronoUnit.MILLIS);
  }

  @Test
  void aNewSessionIsNobodyElsesUntilItIsSaved() {
    TempestSession session = one.createSession();
    assertThat(session.getId()).hasSize(32);
    assertThat(session.getCreationTime()).isBeforeOrEqualTo(Instant.now());
    assertThat(session.getLastAccessedTime()).isEqualTo(session.getCreationTime());
    assertThat(session.getMaxInactiveInterval()).isEqualTo(Duration.ofMinutes(30));
    assertThat(session.isExpired()).isFalse();
    assertThat(one.findById(session.getId())).isNull();
    one.save(session);
    TempestSession found = atOther(session.getId());
    assertThat(found.getAttributeNames()).isEmpty();
    assertThat(found.getCreationTime()).isEqualTo(session.getCreationTime());
    assertThat(found.getLastAccessedTime()).isEqualTo(session.getLastAccessedTime());
    assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void savingASessionThatHasNotChangedChangesNothing() {
    TempestSession session = saved("a", "b");
    Instant accessed = session.getLastAccessedTime();
    one.save(atOne(session.getId()));
    assertThat(atOne(session.getId()).getLastAccessedTime()).isEqualTo(accessed);
    assertThat(atOne(session.getId()).getAttributeNames()).containsExactly("a");
  }

  @Test
  void attributesAreAddedChangedAndRemoved() {
    TempestSession session = saved("changed", "old");
    session.setAttribute("removed", "value");
    session.setAttribute("alsoRemoved", "value");
    one.save(session);
    TempestSession request = atOne(session.getId());
    request.setAttribute("added", new byte[4_000]);
    request.setAttribute("changed", "new");
    request.removeAttribute("removed");
    request.setAttribute("alsoRemoved", null);
    one.save(request);
    TempestSession found = atOne(session.getId());
    assertThat(found.getAttributeNames()).containsExactly("added", "changed");
    assertThat(found.<byte[]>getAttribute("added")).hasSize(4_000);
    assertThat(found.<String>getAttribute("changed")).isEqualTo("new");
    assertThat(found.<Object>getAttribute("removed")).isNull();
  }

  /** spring-projects/spring-session#1070. */
  @Test
  void whatARequestDoesLastToAnAttributeCounts() {
    TempestSession session = saved("removedAtLast", "1");
    session.setAttribute("setAtLast", "1");
    one.save(session);
    TempestSession request = atOne(session.getId());
    request.setAttribute("twice", "1");
    request.setAttribute("twice", "2");
    request.setAttribute("addedAndRemoved", "1");
    request.removeAttribute("addedAndRemoved");
    request.setAttribute("removedAtLast", "2");
    request.removeAttribute("removedAtLast");
    request.removeAttribute("setAtLast");
    request.setAttribute("setAtLast", "2");
    one.save(request);
    TempestSession found = atOne(session.getId());
    assertThat(found.getAttributeNames()).containsExactly("setAtLast", "twice");
    assertThat(found.<String>getAttribute("twice")).isEqualTo("2");
    assertThat(found.<String>getAttribute("setAtLast")).isEqualTo("2");
  }

  @Test
  void whenTheLastRequestWasIsSaved() {
    TempestSession session = saved("a", "b");
    Instant before = millisBefore(Duration.ofMinutes(5));
    TempestSession request = atOne(session.getId());
    request.setLastAccessedTime(before);
    one.save(request);
    assertThat(atOne(session.getId()).getLastAccessedTime()).isEqualTo(before);
    eventually(() -> before.equals(atOther(session.getId()).getLastAccessedTime()));
  }

  /** spring-projects/spring-session#580. */
  @Test
  void aSessionExpiresAfterTheTimeOfAllOrItsOwn() {
    open(config -> config.touchEvery(Duration.ZERO));
    TempestSession ofAll = saved("a", "b");
    ofAll.setLastAccessedTime(millisBefore(Duration.ofMinutes(29)));
    one.save(ofAll);
    assertThat(atOne(ofAll.getId()).isExpired()).isFalse();
    ofAll.setLastAccessedTime(millisBefore(Duration.ofMinutes(30)));
    one.save(ofAll);
    assertThat(ofAll.isExpired()).isTrue();
    eventually(() -> one.findById(ofAll.getId()) == null);
    TempestSession longer = saved("a", "b");
    longer.setMaxInactiveInterval(Duration.ofMinutes(45));
    one.save(longer);
    eventually(
        () -> Duration.ofMinutes(45).equals(atOther(longer.getId()).getMaxInactiveInterval()));
    longer.setLastAccessedTime(millisBefore(Duration.ofMinutes(44)));
    one.save(longer);
    assertThat(atOne(longer.getId()).isExpired()).isFalse();
    longer.setLastAccessedTime(millisBefore(Duration.ofMinutes(45)));
    one.save(longer);
    eventually(() -> one.findById(longer.getId()) == null);
    eventually(() -> other.findById(longer.getId()) == null);
  }

  @Test
  void aRequestProlongsASessionAndKeepsItsOwnTime() {
    open(config -> config.touchEvery(Duration.ZERO));
    String id = prolonged(Duration.ofMillis(800));
    while (id == null) {
      id = prolonged(Duration.ofMillis(800));
    }
    String prolonged = id;
    eventually(() -> one.findById(prolonged) == null);
  }

  /**
   * The id of a session that requests kept for longer than its time; null if this machine stood
   * still so long that it may have ended.
   */
  private @Nullable String prolonged(Duration time) {
    TempestSession session = one.createSession();
    session.setMaxInactiveInterval(time);
    one.save(session);
    Instant begin = Instant.now();
    Instant last = begin;
    while (Instant.now().isBefore(begin.plus(time.multipliedBy(2)))) {
      TempestSession request = other.findById(session.getId());
      Instant now = Instant.now();
      if (request != null) {
        assertThat(request.getMaxInactiveInterval()).isEqualTo(time);
        request.setLastAccessedTime(now);
        request.setAttribute("other", "value");
        other.save(request);
      }
      if (Instant.now().isAfter(last.plus(time.dividedBy(2)))) {
        return null;
      }
      if (request != null) {
        last = now;
      } else {
        assertThat(last).as("a session that is used ends").isEqualTo(begin);
      }
    }
    return session.getId();
  }

  @Test
  void aSessionWithANegativeTimeNeverExpires() {
    TempestSession session = saved("a", "b");
    session.setMaxInactiveInterval(Duration.ofSeconds(-1));
    session.setLastAccessedTime(millisBefore(Duration.ofDays(1)));
    one.save(session);
    TempestSession found = atOne(session.getId());
    assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofSeconds(-1));
    assertThat(found.isExpired()).isFalse();
  }

  /** spring-projects/spring-session#1031, #1076. */
  @Test
  void aDeletedSessionStaysDeleted() {
    TempestSession session = saved("a", "b");
    TempestSession here = atOne(session.getId());
    TempestSession there = atOther(session.getId());
    one.deleteById(session.getId());
    one.deleteById(session.getId());
    here.setLastAccessedTime(Instant.now().plusSeconds(5));
    here.setAttribute("late", 1);
    one.save(here);
    eventually(() -> other.findById(session.getId()) == null);
    there.setAttribute("late", 1);
    other.save(there);
    assertThat(one.findById(session.getId())).isNull();
    assertThat(other.findById(session.getId())).isNull();
    one.deleteById("never given");
  }

  @Test
  void anotherIdKeepsTheAttributes() {
    TempestSession session = saved("a", "b");
    TempestSession request = atOther(session.getId());
    request.setAttribute("late", "c");
    String after = request.changeSessionId();
    assertThat(request.getId()).isEqualTo(after).isNotEqualTo(session.getId());
    other.save(request);
    other.save(request);
    assertThat(other.findById(session.getId())).isNull();
    TempestSession found = atOther(after);
    assertThat(found.<String>getAttribute("a")).isEqualTo("b");
    assertThat(found.<String>getAttribute("late")).isEqualTo("c");
    eventually(() -> one.findById(session.getId()) == null && one.findById(after) != null);
  }

  @Test
  void ofSeveralIdsBetweenTwoSavesTheLastCounts() {
    TempestSession session = saved("a", "b");
    String first = session.getId();
    String second = session.changeSessionId();
    String third = session.changeSessionId();
    one.save(session);
    assertThat(one.findById(first)).isNull();
    assertThat(one.findById(second)).isNull();
    assertThat(one.findById(third)).isNotNull();
  }

  @Test
  void aNewSessionMayChangeItsId() {
    TempestSession session = one.createSession();
    String first = session.getId();
    String second = session.changeSessionId();
    one.save(session);
    assertThat(one.findById(first)).isNull();
    assertThat(one.findById(second)).isNotNull();
  }

  /** As when somebody logs in and out in one request: the client names it by its old id. */
  @Test
  void aSessionEndsByAnIdThatIsNotSavedYet() {
    TempestSession session = saved("a", "b");
    String before = session.getId();
    one.deleteById(session.changeSessionId());
    assertThat(one.findById(before)).isNull();
  }

  /** spring-projects/spring-session#1213. */
  @Test
  void concurrentRequestsLoseNoAttributeOfEachOther() {
    TempestSession session = saved("same", "old");
    TempestSession here = atOne(session.getId());
    TempestSession there = atOther(session.getId());
    here.setAttribute("a", 1);
    there.setAttribute("b", 2);
    here.setAttribute("same", "here");
    one.save(here);
    other.save(there);
    eventually(() -> atOne(session.getId()).getAttributeNames().size() == 3);
    eventually(() -> "here".equals(atOther(session.getId()).getAttribute("same")));
  }

  /** Infinispan's and Redis's lose "fast" with ON_GET_ATTRIBUTE: they write all that was read. */
  @Test
  void aSlowRequestThatOnlyReadsUndoesNothing() {
    for (SaveMode mode : List.of(SaveMode.ON_SET, SaveMode.ON_GET)) {
      open(config -> config.saveMode(mode));
      TempestSession session = saved("a", "old");
      TempestSession slow = atOne(session.getId());
      assertThat(slow.<String>getAttribute("a")).isEqualTo("old");
      TempestSession fast = atOne(session.getId());
      fast.setAttribute("a", "fast");
      one.save(fast);
      one.save(slow);
      assertThat(atOne(session.getId()).<String>getAttribute("a")).isEqualTo("fast");
    }
  }

  @Test
  void whatChangedInPlaceIsSavedWithOnGet() {
    open(config -> config.saveMode(SaveMode.ON_GET));
    TempestSession session = saved("cart", new ArrayList<>(List.of("apple")));
    TempestSession request = atOne(session.getId());
    Objects.requireNonNull(request.<List<String>>getAttribute("cart")).add("pear");
    one.save(request);
    assertThat(atOne(session.getId()).<Object>getAttribute("cart"))
        .isEqualTo(List.of("apple", "pear"));
  }

  @Test
  void theLastRequestWinsWithAlways() {
    open(config -> config.saveMode(SaveMode.ALWAYS));
    TempestSession session = saved("a", "old");
    TempestSession slow = atOne(session.getId());
    assertThat(slow.<String>getAttribute("a")).isEqualTo("old");
    TempestSession fast = atOne(session.getId());
    fast.setAttribute("a", "fast");
    one.save(fast);
    one.save(slow);
    assertThat(atOne(session.getId()).<String>getAttribute("a")).isEqualTo("old");
  }

  @Test
  void immediatelyMeansWithoutSave() {
    one.setFlushMode(FlushMode.IMMEDIATE);
    TempestSession session = one.createSession();
    assertThat(one.findById(session.getId())).isNotNull();
    session.setAttribute("a", "b");
    session.setMaxInactiveInterval(Duration.ofMinutes(1));
    assertThat(atOne(session.getId()).<String>getAttribute("a")).isEqualTo("b");
    assertThat(atOne(session.getId()).getMaxInactiveInterval()).isEqualTo(Duration.ofMinutes(1));
    session.removeAttribute("a");
    assertThat(atOne(session.getId()).getAttributeNames()).isEmpty();
    String before = session.getId();
    String after = session.changeSessionId();
    assertThat(one.findById(before)).isNull();
    assertThat(one.findById(after)).isNotNull();
  }

  @Test
  void whatIsTooLargeOrCannotBeEncodedIsRefusedWhereItIsSet() {
    open(config -> config.attributeMaxBytes(100));
    TempestSession session = one.createSession();
    assertThatThrownBy(() -> session.setAttribute("a", new byte[101]))
        .isInstanceOf(SessionLimitException.class);
    assertThatThrownBy(() -> session.setAttribute("a", new Object()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.Object cannot be kept in a session");
    one.save(session);
    assertThat(atOne(session.getId()).getAttributeNames()).isEmpty();
  }

  @Test
  void aSessionDoesNotTellItsId() {
    TempestSession session = saved("a", "b");
    assertThat(session.toString()).doesNotContain(session.getId());
  }
}

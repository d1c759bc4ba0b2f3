package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.MemberChange.Kind;
import dev.tempest.protocol.membership.Member;
import dev.tempest.runtime.Eventually;
import dev.tempest.runtime.transport.PeerAddress;
import java.util.Collections;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AttendanceTest {
  private static final Logger LOGGER = Logger.getLogger(Attendance.class.getName());
  private static final SortedSet<Long> NOBODY = Collections.emptySortedSet();
  private static final SortedSet<Long> ALIVE = new TreeSet<>(Set.of(1L));

  private final Attendance attendance = new Attendance();
  private final Queue<Kind> told = new ConcurrentLinkedQueue<>();
  private final SortedMap<Long, Member> one =
      new TreeMap<>(
          Map.of(
              1L,
              new Member(1, PeerAddress.all("127.0.0.1:7400").getFirst(), "127.0.0.1:7400", "a")));

  @Test
  void tellsWhoComesFallsSilentReturnsAndLeavesInThatOrder() {
    SortedMap<Long, Member> two = new TreeMap<>(one);
    two.put(2L, new Member(2, PeerAddress.all("127.0.0.1:7401").getFirst(), "127.0.0.1:7401", "b"));
    SortedSet<Long> both = new TreeSet<>(two.keySet());
    attendance.add(change -> told.add(change.kind()));

    attendance.look(one, ALIVE); // Whoever is there first is no news.
    attendance.look(two, both);
    attendance.look(two, ALIVE);
    attendance.look(two, both);
    attendance.look(one, ALIVE);

    Eventually.eventually("all are told", () -> told.size() == 4);
    assertThat(told).containsExactly(Kind.JOINED, Kind.SILENT, Kind.RETURNED, Kind.LEFT);
  }

  /** Of what happens thousands of times here nobody wants to read. */
  @BeforeEach
  void quiet() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterEach
  void loud() {
    LOGGER.setLevel(null);
  }

  @Test
  void aListenerThatBlocksMissesChangesInsteadOfFillingTheMemory() {
    CountDownLatch goesOn = new CountDownLatch(1);
    attendance.add(change -> {
      awaitUninterrupted(goesOn);
      told.add(change.kind());
    });

    attendance.look(one, NOBODY);
    for (int i = 0; i < Attendance.WAITING_MAX; i++) {
      attendance.look(one, ALIVE);
      attendance.look(one, NOBODY);
    }
    goesOn.countDown();

    int waited = 1 + Attendance.WAITING_MAX; // The first one is in the listener.
    Eventually.eventually("all that waited are told", () -> told.size() >= waited);
    attendance.look(one, ALIVE);
    Eventually.eventually("the next one is told, too", () -> told.size() > waited);
    assertThat(told).hasSize(waited + 1);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError("nobody interrupts it", interrupted);
    }
  }
}

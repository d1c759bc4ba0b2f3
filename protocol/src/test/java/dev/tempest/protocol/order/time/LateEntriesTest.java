package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Body;
import dev.tempest.wire.Call;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However entries come, the window is what their execution in order makes of it. */
final class LateEntriesTest {
  private static final int EPOCH_MILLIS = 100;
  private static final int HISTORIES = 120;
  private static final long START_MILLIS = 1_000_000;

  /** A window, and the execution of everything in order on an instance of its own. */
  private static final class Subject {
    final ServiceInstance service;
    final ActsService acts;
    final Window window;
    final Replay plain;
    Version plainBase;
    long lastSequence;

    /** Of a node; a service has none. */
    private final ActsService.NodeHome home = new ActsService.NodeHome();

    /** A service that executes calls, or the state of a node, that applies changes. */
    Subject(boolean isNode) {
      if (isNode) {
        acts = new ActsService(home.state);
        service = ServiceInstance.ofState(home.state);
      } else {
        List<ActsService> made = new ArrayList<>();
        service =
            ServiceInstance.of(
                Acts.class,
                given -> {
                  made.add(new ActsService(given));
                  return made.getFirst();
                });
        acts = made.getFirst();
      }
      window = new Window(service, EPOCH_MILLIS, ReplicaSettings.Memory.USUAL, epoch -> {});
      plain = new Replay(service, EPOCH_MILLIS);
      plainBase = service.emptyVersion();
    }

    Entry entry(long millis, Body body) {
      return new Entry(new RequestId(7, ++lastSequence), millis << 16, body);
    }

    Call call(String name, Object... arguments) {
      ServiceMethod method =
          service.description().methods().stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .orElseThrow();
      return new Call(method.number(), method.encode(arguments));
    }

    Call act(SplittableRandom random, int keys) {
      return call("act", random.nextLong(), keys);
    }

    /** What an action on the version of now writes, to be applied wherever it comes. */
    Change change(Version before, long millis, SplittableRandom random, int keys) {
      VersionedAction action = action(before, millis, random.nextLong(), keys);
      ByteWriter writer = new ByteWriter(1 << 20);
      home.state.writeChange(action.change(), writer);
      return new Change(writer.toBytes());
    }

    VersionedAction action(Version before, long millis, long seed, int keys) {
      VersionedAction action = home.state.begin(before, millis, seed);
      home.action = action;
      try {
        acts.act(seed, keys);
      } catch (IllegalStateException thrown) {
        // What it wrote so far is a change as well.
      }
      action.commit();
      return action;
    }

    /** The version of the plain execution of all entries through an epoch. */
    Version plainThrough(long lastEpoch, boolean checksAnswers) {
      Version version = plainBase;
      long epoch = -1;
      for (Entry entry : window.entries()) {
        if (plain.epochOf(entry) > lastEpoch) {
          break;
        }
        if (plain.epochOf(entry) != epoch) {
          epoch = plain.epochOf(entry);
          version = plain.begin(epoch, version);
        }
        Execution execution = plain.execution(version, entry);
        version = execution.after();
        if (checksAnswers && !plain.isCommutative(entry)) {
          assertThat(window.answer(entry.id())).isEqualTo(Replay.answer(entry, execution.result()));
        }
      }
      return version;
    }

    void check() {
      Version version = window.version();
      assertThat(version).isEqualTo(plainThrough(Long.MAX_VALUE, true));
      window.checkInvariants();
    }

    void settle(long throughEpoch) {
      plainBase = plain.begin(throughEpoch + 1, plainThrough(throughEpoch, false));
      window.settle(throughEpoch);
      assertThat(window.base()).isEqualTo(plainBase);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 12, 100_000})
  void callsComeToTheStateAndTheAnswersOfTheirOrder(int keys) {
    for (int seed = 0; seed < HISTORIES; seed++) {
      runHistory(new Subject(false), new SplittableRandom(seed), keys, false);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 12, 100_000})
  void changesAndOwnWritesComeToTheStateOfTheirOrder(int keys) {
    for (int seed = 0; seed < HISTORIES; seed++) {
      runHistory(new Subject(true), new SplittableRandom(seed), keys, true);
    }
  }

  /** Most epochs are passed by as a whole, and looked into some other time. */
  @Test
  void epochsThatNothingTouchesAreRightWhenTheyAreLookedInto() {
    for (int seed = 0; seed < HISTORIES / 10; seed++) {
      Subject subject = new Subject(false);
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < 1_500; i++) {
        subject.window.take(subject.entry(START_MILLIS + i, put(subject, random)), 0);
      }
      for (int i = 0; i < 20; i++) {
        List<Entry> late = new ArrayList<>();
        for (int count = random.nextInt(4); count >= 0; count--) {
          long millis = START_MILLIS + random.nextInt(1_500);
          Call call = random.nextInt(5) == 0 ? subject.call("count") : put(subject, random);
          late.add(subject.entry(millis, call));
        }
        subject.window.insert(late);
        subject.check();
      }
      for (long epoch = START_MILLIS / EPOCH_MILLIS; !subject.window.epochs().isEmpty(); epoch++) {
        subject.settle(epoch);
      }
    }
  }

  private static Call put(Subject subject, SplittableRandom random) {
    return subject.call("put", random.nextInt(1_000), random.nextInt());
  }

  /** Entries of a second and a half come in any order, some very late; epochs settle meanwhile. */
  private static void runHistory(
      Subject subject, SplittableRandom random, int keys, boolean isNode) {
    TreeMap<Long, List<Entry>> arrivals = new TreeMap<>();
    int count = 30 + random.nextInt(300);
    int lateMillis = random.nextBoolean() ? 20 : 500;
    for (int i = 0; i < count; i++) {
      long millis = START_MILLIS + random.nextInt(1_500);
      long delay = random.nextInt(4) == 0 ? random.nextInt(lateMillis) : 0;
      Body body =
          isNode
              ? subject.change(subject.window.base(), millis, random, keys)
              : random.nextInt(4) == 0
                  ? subject.call("tally", random.nextInt(3), random.nextInt(100))
                  : subject.act(random, keys);
      arrivals
          .computeIfAbsent(millis + delay, at -> new ArrayList<>())
          .add(subject.entry(millis, body));
    }
    arrivals.forEach((millis, entries) -> {
      if (isNode || random.nextInt(3) > 0) {
        subject.window.insert(entries);
      } else {
        entries.forEach(entry -> subject.window.take(entry, 0));
      }
      if (isNode && random.nextInt(3) == 0) {
        write(subject, random, millis, keys);
      }
      if (random.nextInt(10) == 0) {
        subject.check();
      }
      long settles = (millis - 600) / EPOCH_MILLIS;
      if (settles > subject.window.settled().throughEpoch() && random.nextInt(4) == 0) {
        subject.settle(settles);
      }
    });
    subject.check();
  }

  private static void write(Subject subject, SplittableRandom random, long millis, int keys) {
    Version before = subject.window.version();
    long stamp = Math.max((millis << 16) + 1, subject.window.newestStamp() + 1);
    VersionedAction action = subject.action(before, stamp >> 16, random.nextLong(), keys);
    ByteWriter writer = new ByteWriter(1 << 20);
    subject.home.state.writeChange(action.change(), writer);
    Entry entry =
        new Entry(new RequestId(8, ++subject.lastSequence), stamp, new Change(writer.toBytes()));
    subject.window.write(entry, before, action.change().applyTo(before), 0);
  }

  @Test
  void onlyWhatConflictsRunsAgain() {
    Subject subject = new Subject(false);
    for (int i = 0; i < 5_000; i++) {
      subject.window.take(subject.entry(START_MILLIS + i / 5, subject.call("put", i, i)), 0);
    }
    Entry late = subject.entry(START_MILLIS + 250, subject.call("put", 9_999, 1));
    subject.window.insert(List.of(late));
    subject.check();
    assertThat(subject.window.rerun()).isZero();

    // The put of the same key is another answer; after it the key is what it was.
    subject.window.insert(
        List.of(subject.entry(START_MILLIS + 100, subject.call("put", 4_000, 7))));
    subject.check();
    assertThat(subject.window.rerun()).isEqualTo(1);
  }

  @Test
  void nothingRunsAgainBecauseOfWhatCommutes() {
    Subject subject = new Subject(false);
    for (int i = 0; i < 1_000; i++) {
      Call call = i % 7 == 0 ? subject.call("put", i % 5, i) : subject.call("tally", i % 5, 1);
      subject.window.take(subject.entry(START_MILLIS + i, call), 0);
    }
    Entry late = subject.entry(START_MILLIS + 400, subject.call("tally", 1, 1));
    subject.window.take(late, 0);
    Answer atOnce = subject.window.answer(late.id());
    subject.window.insert(
        List.of(
            subject.entry(START_MILLIS + 450, subject.call("tally", 1, 1)),
            subject.entry(START_MILLIS + 50, subject.call("tally", 2, 1)),
            subject.entry(START_MILLIS + 1_050, subject.call("tally", 2, 1))));
    subject.check();
    assertThat(subject.window.late()).isEqualTo(3);
    assertThat(subject.window.rerun()).isZero();
    assertThat(subject.window.answer(late.id())).isEqualTo(atOnce);
    subject.settle((START_MILLIS + 500) / EPOCH_MILLIS);
    subject.check();
  }

  /** Keys come from a state that was given up, unless they are there: that depends on the order. */
  @Test
  void nothingCommutesWithWhatComesAsAWhole() {
    Subject subject = new Subject(false);
    Version empty = subject.service.emptyVersion();
    Entry five = subject.entry(START_MILLIS, subject.call("tally", 1, 5));
    Version given = subject.plain.execution(empty, five).after();
    List<Bytes> whole = subject.service.lacking(empty, given, 1 << 20);
    subject.window.take(subject.entry(START_MILLIS, subject.call("tally", 2, 1)), 0);
    subject.window.insert(List.of(subject.entry(START_MILLIS + 900, new Change(whole.getFirst()))));
    subject.check();
    List<Entry> late = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      late.add(subject.entry(START_MILLIS + 300, subject.call("tally", 1, 1)));
    }
    subject.window.insert(late);
    subject.check();
    assertThat(subject.window.rerun()).isLessThan(10);
    subject.window.insert(List.of(subject.entry(START_MILLIS + 950, subject.call("tally", 1, 1))));
    subject.check();
  }

  @Test
  void whoeverLooksAtAllRunsAgain() {
    Subject subject = new Subject(false);
    for (int i = 0; i < 1_000; i++) {
      Call call = i % 100 == 99 ? subject.call("count") : subject.call("put", i, i);
      subject.window.take(subject.entry(START_MILLIS + i, call), 0);
    }
    subject.window.insert(
        List.of(subject.entry(START_MILLIS + 500, subject.call("put", 9_999, 1))));
    subject.check();
    assertThat(subject.window.rerun()).isEqualTo(5);
  }
}

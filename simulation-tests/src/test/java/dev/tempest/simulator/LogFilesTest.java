package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.protocol.checkpoint.ForeignCheckpointException;
import dev.tempest.protocol.checkpoint.LogFiles;
import dev.tempest.protocol.order.Restored;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.Change;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The log of a replica on a disk that does all that it may. */
final class LogFilesTest {
  private static final long REPLICA = 42;
  private static final Ballot BALLOT = new Ballot(3, REPLICA);
  private static final int FILE_BYTES_MAX = 2_000;

  /** A checkpoint. */
  private record Checkpointed(long replica, Long mark) implements Restored {
    @Override
    public String source() {
      return "";
    }

    @Override
    public long executed() {
      return 0;
    }
  }

  private final SplittableRandom random = new SplittableRandom(1);

  private static LogFiles files(SimDisk disk) {
    return new LogFiles(disk, "shop", "cart", FILE_BYTES_MAX);
  }

  private static LogMessage.Accept entry(long slot) {
    SlotEntry entry =
        new SlotEntry.Proposed(
            new RequestId(1, slot + 1), slot, 0, new Change(Bytes.of(new byte[50])));
    return new LogMessage.Accept(BALLOT, slot, List.of(entry), slot, false);
  }

  /** Each is synced. */
  private static void writeEntries(LogFiles log, int count) throws IOException {
    for (long slot = 0; slot < count; slot++) {
      log.write(List.of(entry(slot)));
      log.sync();
    }
  }

  private static List<LogMessage.Stored> read(SimDisk disk) throws IOException {
    LogFiles.Found found = files(disk).read(null);
    assertThat(found.damaged()).isEmpty();
    assertThat(found.replica()).isEqualTo(REPLICA);
    return withoutSummaries(found.records());
  }

  /** Each file begins with where the log was. */
  private static List<LogMessage.Stored> withoutSummaries(List<LogMessage.Stored> records) {
    List<LogMessage.Stored> own = new ArrayList<>();
    for (LogMessage.Stored record : records) {
      boolean isSummary =
          record instanceof LogMessage.Accept accept
              ? accept.entries().isEmpty()
              : own.contains(record);
      if (!isSummary) {
        own.add(record);
      }
    }
    return own;
  }

  @Test
  void whatWasSyncedIsReadInOrderWhateverACrashDoesToTheRest() throws IOException {
    for (int run = 0; run < 300; run++) {
      SimDisk disk = new SimDisk(random.split());
      List<LogMessage.Stored> synced = new ArrayList<>();
      List<LogMessage.Stored> written = new ArrayList<>();
      for (int life = 0; life < 3; life++) {
        LogFiles log = files(disk);
        List<LogMessage.Stored> found = withoutSummaries(log.read(null).records());
        assertThat(found.size()).isBetween(synced.size(), written.size());
        assertThat(found).isEqualTo(written.subList(0, found.size()));
        written = new ArrayList<>(found);
        log.begin(REPLICA);
        if (life == 0) {
          written.add(new LogMessage.Prepare(BALLOT));
          log.write(written);
        }
        for (int more = random.nextInt(60); more > 0; more--) {
          LogMessage.Stored next = entry(written.size());
          log.write(List.of(next));
          written.add(next);
          if (random.nextBoolean()) {
            log.sync();
            synced = new ArrayList<>(written);
          }
        }
        log.close();
        if (random.nextBoolean()) {
          disk.crash();
        } else {
          synced = new ArrayList<>(written); // The machine goes on, and has it.
        }
      }
    }
  }

  @Test
  void whoReliesOnTheMachineFindsAllThatItSaidOrThatItMayNot() throws IOException {
    int lost = 0;
    for (int run = 0; run < 300; run++) {
      SimDisk disk = new SimDisk(random.split());
      List<LogMessage.Stored> said = new ArrayList<>();
      boolean mayLack = false;
      for (int life = 0; life < 4 && !mayLack; life++) {
        LogFiles log = files(disk);
        assertThat(withoutSummaries(log.read(null).records())).isEqualTo(said);
        log.begin(REPLICA);
        boolean relies = false;
        for (int more = random.nextInt(60); more > 0; more--) {
          relies ^= random.nextInt(4) == 0;
          assertThat(log.rely(relies)).isEqualTo(relies);
          LogMessage.Stored next =
              said.isEmpty() ? new LogMessage.Prepare(BALLOT) : entry(said.size() - 1);
          log.write(List.of(next));
          said.add(next);
          if (!relies) {
            log.sync();
          }
        }
        if (random.nextInt(3) == 0) {
          disk.crash();
          mayLack = relies;
        }
      }
      assertThat(files(disk).read(null).damaged().contains("started again")).isEqualTo(mayLack);
      lost += mayLack ? 1 : 0;
    }
    assertThat(lost).isBetween(30, 270);
  }

  @Test
  void whoEndsInPeaceReliesOnNothing() throws IOException {
    SimDisk disk = new SimDisk(random.split());
    LogFiles log = files(disk);
    log.begin(REPLICA);
    assertThat(log.rely(true)).isTrue();
    log.write(List.of(entry(0)));
    log.close();
    disk.crash();
    assertThat(read(disk)).containsExactly(entry(0));
  }

  @Test
  void whatIsDamagedAndWasFollowedByMoreIsNoticed() throws IOException {
    for (int run = 0; run < 500; run++) {
      SimDisk disk = new SimDisk(random.split());
      LogFiles log = files(disk);
      log.begin(REPLICA);
      writeEntries(log, 40);
      log.close();
      String file = disk.names().getFirst();
      disk.flip(file, random.nextLong(disk.bits(file)));
      LogFiles.Found found = files(disk).read(null);
      assertThat(found.damaged()).isNotEmpty();
      assertThat(found.records()).isEmpty();
    }
  }

  @Test
  void whatIsDamagedIsNoticedThoughNothingWasSynced() throws IOException {
    SimDisk disk = new SimDisk(random.split());
    LogFiles log = files(disk);
    log.begin(REPLICA);
    assertThat(log.rely(true)).isTrue();
    for (long slot = 0; slot < 8; slot++) {
      log.write(List.of(entry(slot)));
    }
    String file = disk.names().getLast();
    disk.flip(file, disk.bits(file) / 2);
    assertThat(files(disk).read(null).damaged()).contains("is damaged at byte");
  }

  @Test
  void whoHasLostALogIsKnownUntilItPromisesSomethingElse() throws IOException {
    SimDisk disk = new SimDisk(random.split());
    LogFiles log = files(disk);
    log.begin(REPLICA);
    log.setAside();
    assertThat(files(disk).read(null).wasLost()).isTrue();
    log.begin(REPLICA + 1);
    LogFiles.Found found = files(disk).read(null);
    assertThat(found.replica()).isEqualTo(REPLICA + 1);
    assertThat(found.wasLost()).isTrue();
    log.write(List.of(entry(0)));
    assertThat(files(disk).read(null).wasLost()).isFalse();
  }

  /** It would count as that of the replica before, which has forgotten what it promised last. */
  @Test
  void whatWasDeletedBeforeALogWasSetAsideStaysSo() throws IOException {
    for (int run = 0; run < 100; run++) {
      SimDisk disk = new SimDisk(random.split());
      LogFiles log = files(disk);
      log.begin(REPLICA);
      writeEntries(log, 100);
      log.dropBelow(60);
      log.setAside();
      log.begin(REPLICA + 1);
      log.write(List.of(entry(0)));
      log.sync();
      disk.crash();
      LogFiles.Found found = files(disk).read(null);
      assertThat(found.damaged()).isEmpty();
      assertThat(found.replica()).isEqualTo(REPLICA + 1);
      assertThat(withoutSummaries(found.records())).containsExactly(entry(0));
    }
  }

  /** The replica had promised something since. */
  @Test
  void whatBeginsALogThatWasSetAsideIsNoneOfTheNextOne() throws IOException {
    int back = 0;
    for (int run = 0; run < 100; run++) {
      SimDisk disk = new SimDisk(random.split());
      LogFiles log = files(disk);
      log.begin(REPLICA);
      assertThat(log.rely(true)).isTrue();
      writeEntries(log, 10);
      log.dropBelow(1);
      log.setAside();
      disk.crash();
      LogFiles.Found found = files(disk).read(null);
      back += found.damaged().contains("set aside") ? 1 : 0;
      assertThat(found.replica()).isZero();
    }
    assertThat(back).as("what was deleted may come back").isBetween(1, 99);
  }

  @Test
  void whatLiesInACheckpointGoesFileByFile() throws IOException {
    SimDisk disk = new SimDisk(random.split());
    LogFiles log = files(disk);
    log.begin(REPLICA);
    writeEntries(log, 100);
    int files = disk.names().size();
    assertThat(files).isGreaterThan(3);
    log.dropBelow(0);
    assertThat(disk.names()).hasSize(files);
    log.dropBelow(60);
    assertThat(disk.names().size()).isBetween(2, files - 1);
    log.close();
    List<LogMessage.Stored> left = read(disk);
    assertThat(left).contains(entry(60), entry(99));
    assertThat(withoutSummaries(files(disk).read(new Checkpointed(REPLICA, 90L)).records()))
        .containsExactly(
            left.subList(left.size() - 10, left.size()).toArray(LogMessage.Stored[]::new));
    assertThat(withoutSummaries(files(disk).read(new Checkpointed(REPLICA + 1, 90L)).records()))
        .isEqualTo(left);
    disk.crash(); // What was deleted may be back.
    assertThat(read(disk)).endsWith(left.toArray(LogMessage.Stored[]::new));
  }

  @Test
  void thatOfAnotherServiceIsRefused() throws IOException {
    SimDisk disk = new SimDisk(random.split());
    LogFiles log = files(disk);
    log.begin(REPLICA);
    log.close();
    assertThatThrownBy(() -> new LogFiles(disk, "market", "cart", FILE_BYTES_MAX).read(null))
        .isInstanceOf(ForeignCheckpointException.class)
        .hasMessageContaining("of cart of the cluster 'shop', not of cart of the cluster 'market'");
  }

  @Test
  void afterASyncThatFailedNothingIsSaidToBeThere() throws IOException {
    SimDisk disk = new SimDisk(random.split());
    LogFiles log = files(disk);
    log.begin(REPLICA);
    log.write(List.of(entry(0)));
    log.sync();
    log.write(List.of(entry(1)));
    disk.failToSync(true);
    assertThatThrownBy(log::sync).isInstanceOf(IOException.class);
    disk.failToSync(false);
    assertThat(read(disk)).containsExactly(entry(0));
  }

  /** It would come back without what it has said, and promise something else. */
  @Test
  void whatCountedUnsyncedAndCannotBeSyncedIsLost() throws IOException {
    SimDisk disk = new SimDisk(random.split());
    LogFiles log = files(disk);
    log.begin(REPLICA);
    assertThat(log.rely(true)).isTrue();
    log.write(List.of(entry(0)));
    disk.failToSync(true);
    assertThatThrownBy(() -> log.rely(false)).isInstanceOf(IOException.class);
    disk.failToSync(false);
    assertThat(files(disk).read(null).wasLost()).isTrue();
  }

  @Test
  void whatWasSetAsideInPartIsDamaged() throws IOException {
    SimDisk disk = new SimDisk(random.split());
    LogFiles log = files(disk);
    log.begin(REPLICA);
    writeEntries(log, 100);
    String first = disk.names().getFirst();
    disk.rename(first, first + ".damaged");
    assertThat(files(disk).read(new Checkpointed(REPLICA, 90L)).damaged()).contains("set aside");
  }

  /** Nothing of it is lost: there is only no room for more. */
  @Test
  void whatCannotBeWrittenAnyMoreCountsAsItDid() throws IOException {
    SimDisk disk = new SimDisk(random.split());
    LogFiles log = files(disk);
    log.begin(REPLICA);
    assertThat(log.rely(true)).isTrue();
    log.write(List.of(entry(0)));
    disk.free(0);
    assertThatThrownBy(() -> log.rely(false)).isInstanceOf(IOException.class);
    assertThat(log.relies()).as("so does the file").isTrue();
    assertThat(read(disk)).containsExactly(entry(0));
  }
}

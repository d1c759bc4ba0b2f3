package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.checkpoint.Disk;
import dev.tempest.protocol.checkpoint.LogFiles;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.runtime.disk.FolderDisk;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredLogTest {
  private record Place() implements Address {}

  /** Nobody looks into it. */
  private record NoState(int replicas, long executed, Object mark) implements Checkpoint {
    NoState() {
      this(1, 0, 0);
    }

    @Override
    public Iterator<Bytes> pieces() {
      return Collections.emptyIterator();
    }
  }

  /** A disk whose syncs fail from some time on. */
  private static final class Failing implements Disk {
    private final Disk disk;
    private String life = "first";
    private boolean fails;
    private int syncs;

    Failing(Disk disk) {
      this.disk = disk;
    }

    @Override
    public List<String> names() throws IOException {
      return disk.names();
    }

    @Override
    public Input open(String name) throws IOException {
      return disk.open(name);
    }

    @Override
    public Output create(String name) throws IOException {
      return output(disk.create(name));
    }

    @Override
    public Output append(String name) throws IOException {
      return output(disk.append(name));
    }

    private Output output(Output output) {
      return new Output() {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          output.write(bytes, offset, length);
        }

        @Override
        public void sync() throws IOException {
          syncs++;
          if (fails) {
            throw new IOException("input/output error");
          }
          output.sync();
        }

        @Override
        public void close() throws IOException {
          output.close();
        }
      };
    }

    @Override
    public void rename(String from, String to) throws IOException {
      disk.rename(from, to);
    }

    @Override
    public String life() {
      return life;
    }

    @Override
    public void delete(String name) throws IOException {
      disk.delete(name);
    }
  }

  @TempDir private Path folder = Path.of("");

  private final Queue<Runnable> thread = new ArrayDeque<>();
  private int checkpointsWanted;
  private Runnable writesState = () -> {};

  private StoredLog begun(Failing disk) {
    return begun(disk, LogFiles.FILE_BYTES);
  }

  private StoredLog begun(Failing disk, int fileBytes) {
    StoredLog.CheckpointWriter counting =
        new StoredLog.CheckpointWriter() {
          @Override
          public void write(Checkpoint checkpoint) {
            writesState.run();
          }

          @Override
          public void writeSoon() {
            checkpointsWanted++;
          }
        };
    LogFiles files = new LogFiles(disk, "shop", "cart", fileBytes);
    StoredLog log = new StoredLog(files, thread::add, counting, () -> {});
    log.begin(1);
    runAll();
    return log;
  }

  private void runAll() {
    for (Runnable next = thread.poll(); next != null; next = thread.poll()) {
      next.run();
    }
  }

  private static Effect.Persist promise(long number, boolean synced) {
    Ballot ballot = new Ballot(number, 1);
    Message said = new Message.OfLog(7, 1, new LogMessage.Accepted(ballot, 0));
    return new Effect.Persist(
        null,
        List.of(new LogMessage.Prepare(ballot)),
        synced,
        List.of(new Effect.Send(new Place(), said)));
  }

  private static List<Effect.Send> ready(StoredLog log) {
    List<Effect.Send> all = new ArrayList<>();
    for (Effect.Send next = log.takeReady(); next != null; next = log.takeReady()) {
      all.add(next);
    }
    return all;
  }

  @Test
  void whatHasComeMeanwhileIsStoredWithOneSyncAndSentThenInOrder() {
    Failing disk = new Failing(new FolderDisk(folder));
    StoredLog log = begun(disk);
    int before = disk.syncs;
    List<Effect.Send> said = new ArrayList<>();
    for (int number = 1; number <= 100; number++) {
      Effect.Persist next = promise(number, true);
      log.persist(next);
      said.addAll(next.after());
    }
    assertThat(ready(log)).isEmpty();
    runAll();
    assertThat(disk.syncs).isEqualTo(before + 1);
    assertThat(ready(log)).isEqualTo(said);
  }

  @Test
  void whatMayRelyOnTheMachineIsSaidWithoutASyncAndSyncedBeforeMoreIsSaidThatMayNot() {
    Failing disk = new Failing(new FolderDisk(folder));
    StoredLog log = begun(disk);
    log.persist(promise(1, false));
    runAll();
    int before = disk.syncs;
    log.persist(promise(2, false));
    runAll();
    assertThat(ready(log)).hasSize(2);
    assertThat(disk.syncs).isEqualTo(before);
    disk.fails = true;
    log.persist(new Effect.Persist(null, List.of(), true, promise(3, true).after()));
    runAll();
    assertThat(ready(log)).isEmpty();
  }

  @Test
  void whereNobodyCanTellIfTheMachineHasStartedAgainAllIsSynced() {
    Failing disk = new Failing(new FolderDisk(folder));
    disk.life = "";
    StoredLog log = begun(disk);
    int before = disk.syncs;
    log.persist(promise(1, false));
    runAll();
    assertThat(ready(log)).hasSize(1);
    assertThat(disk.syncs).isEqualTo(before + 1);
  }

  @Test
  void nothingIsSaidAfterASyncThatFailedEvenIfTheDiskIsWellAgain() {
    Failing disk = new Failing(new FolderDisk(folder));
    StoredLog log = begun(disk);
    disk.fails = true;
    log.persist(promise(1, true));
    runAll();
    assertThat(ready(log)).isEmpty();
    assertThat(log.failure()).hasMessage("input/output error");
    disk.fails = false;
    log.persist(promise(2, true));
    runAll();
    assertThat(ready(log)).isEmpty();
  }

  /** Else who comes back has to read all of it. */
  @Test
  void aLongLogAsksForACheckpointUntilItIsShort() {
    StoredLog log = begun(new Failing(new FolderDisk(folder)), 1_000);
    store(log, 1, 5);
    assertThat(checkpointsWanted).isZero();
    store(log, 6, 300);
    assertThat(checkpointsWanted).isPositive();
    int wanted = checkpointsWanted;
    log.dropBelow(Long.MAX_VALUE);
    store(log, 301, 305);
    assertThat(checkpointsWanted).isEqualTo(wanted);
  }

  private void store(StoredLog log, int first, int last) {
    for (int number = first; number <= last; number++) {
      log.persist(promise(number, true));
      runAll();
    }
  }

  @Test
  void whatComesWithAStateAndAfterItWaitsForIt() {
    StoredLog log = begun(new Failing(new FolderDisk(folder)));
    Effect.Persist before = promise(1, true);
    Effect.Persist after = promise(3, true);
    Effect.Persist withState =
        new Effect.Persist(new NoState(), after.records(), true, after.after());
    log.persist(before);
    log.persist(withState);
    log.persist(promise(4, true));
    List<Effect.Send> saidByThen = new ArrayList<>();
    writesState = () -> saidByThen.addAll(ready(log));
    runAll();
    assertThat(saidByThen).isEqualTo(before.after());
    assertThat(ready(log)).hasSize(2).startsWith(after.after().getFirst());
  }

  /** Who follows answers fifty times a second, however long its disk hangs. */
  @Test
  void whatStoresNothingDoesNotWaitWithoutEnd() {
    StoredLog log = begun(new Failing(new FolderDisk(folder)));
    Effect.Persist again = new Effect.Persist(null, List.of(), true, promise(1, true).after());
    for (int i = 0; i < 2 * StoredLog.WAITING_MAX; i++) {
      log.persist(again);
    }
    Effect.Persist stored = promise(2, true);
    log.persist(stored);
    runAll();
    assertThat(ready(log)).hasSize(StoredLog.WAITING_MAX + 1).endsWith(stored.after().getFirst());
    log.persist(again);
    runAll();
    assertThat(ready(log)).as("it goes on").hasSize(1);
  }

  /** A service is hosted no more, and its replica goes on until the loop has heard of that. */
  @Test
  void whatComesAfterTheEndIsNoFailure() {
    StoredLog log = begun(new Failing(new FolderDisk(folder)));
    log.close();
    log.persist(promise(1, true));
    runAll();
    assertThat(log.failure()).isNull();
    assertThat(ready(log)).as("it is not stored").isEmpty();
  }
}

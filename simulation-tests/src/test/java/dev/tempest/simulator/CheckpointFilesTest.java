package dev.tempest.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.protocol.checkpoint.CheckpointFiles;
import dev.tempest.protocol.checkpoint.ForeignCheckpointException;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Restored;
import dev.tempest.protocol.order.Restoring;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checkpoints on disks that do all that disks do. */
final class CheckpointFilesTest {
  private static final int SEEDS = 100;
  private static final String FIRST = "cart.1.checkpoint";
  private static final String SECOND = "cart.2.checkpoint";

  /** What is in a file, as texts; of which one that says "unreadable" cannot be read. */
  private record Texts(List<String> texts, int replicas) implements Checkpoint, Restored {
    @Override
    public long replica() {
      return 1;
    }

    @Override
    public Texts mark() {
      return this;
    }

    @Override
    public String source() {
      return "texts";
    }

    @Override
    public long executed() {
      return texts.size();
    }

    @Override
    public Iterator<Bytes> pieces() {
      return texts.stream().map(text -> Bytes.of(text.getBytes(UTF_8))).iterator();
    }
  }

  private static final class Reading implements Restoring {
    private final List<String> texts = new ArrayList<>();

    @Override
    public void take(Bytes piece) {
      String text = new String(piece.toArray(), UTF_8);
      if (text.equals("unreadable")) {
        throw new MalformedException("map 'carts' has values of another type");
      }
      texts.add(text);
    }

    @Override
    public Restored restored(int replicas) {
      return new Texts(List.copyOf(texts), replicas);
    }
  }

  private static final Texts ONE = new Texts(List.of("one", "checkpoint"), 3);
  private static final Texts TWO = new Texts(List.of("another", "one", "of", "more pieces"), 2);

  private final SimDisk disk = new SimDisk(new SplittableRandom(1));
  private CheckpointFiles files = files();

  private CheckpointFiles files() {
    return new CheckpointFiles(disk, "shop", "cart");
  }

  /** What a process finds that starts. */
  private CheckpointFiles.Found found() throws IOException {
    files = files();
    return files.read(Reading::new);
  }

  private void write(Texts texts) throws IOException {
    write(texts, files);
  }

  private static void write(Texts texts, CheckpointFiles into) throws IOException {
    CheckpointFiles.Writing writing = into.write(texts, 1_700_000_000_000L);
    while (writing.next()) {
      assertThat(writing.file()).endsWith(".checkpoint");
    }
  }

  @Test
  void theLatestIsReadAndTheOneBeforeItIsKept() throws IOException {
    assertThat(found().restored()).isNull();
    write(ONE);
    write(TWO);
    assertThat(disk.names()).containsExactly(FIRST, SECOND);
    write(ONE);
    write(TWO);
    assertThat(disk.names()).containsExactly("cart.3.checkpoint", "cart.4.checkpoint");
    assertThat(found().restored()).isEqualTo(TWO);
    assertThat(found().file()).isEqualTo("disk/cart.4.checkpoint");
    assertThat(found().writtenMillis()).isEqualTo(1_700_000_000_000L);
    assertThat(found().complaints()).isEmpty();
  }

  /** Its process ends before it is done. */
  @Test
  void aFileThatIsNotYetWrittenDoesNotCount() throws IOException {
    write(ONE);
    CheckpointFiles.Writing writing = files.write(TWO, 0);
    for (int i = 0; i <= TWO.texts().size(); i++) { // The head, and all pieces, but not the end.
      assertThat(writing.next()).isTrue();
    }
    assertThat(found().restored()).isEqualTo(ONE);
    assertThat(disk.names()).containsExactly(FIRST);
    write(TWO);
    assertThat(found().restored()).isEqualTo(TWO);
  }

  @Test
  void ofAFileWithAnyBitFlippedNothingIsTaken() throws IOException {
    write(ONE);
    write(TWO);
    for (long bit = 0; bit < disk.bits(SECOND); bit++) {
      disk.flip(SECOND, bit);
      assertThat(found().restored()).as("bit %d", bit).isEqualTo(ONE);
      assertThat(found().complaints()).singleElement().asString().startsWith("disk/" + SECOND);
      disk.flip(SECOND, bit);
    }
    assertThat(found().restored()).isEqualTo(TWO);
  }

  @Test
  void ofAFileThatEndsTooEarlyOrGoesOnNothingIsTaken() throws IOException {
    write(ONE);
    write(TWO);
    byte[] whole = disk.contents(SECOND);
    for (int length = 0; length <= 2 * whole.length; length++) {
      disk.put(SECOND, Arrays.copyOf(whole, length));
      assertThat(found().restored())
          .as("%d bytes", length)
          .isEqualTo(length == whole.length ? TWO : ONE);
    }
  }

  @Test
  void blocksOfAnotherFileAreNotTaken() throws IOException {
    write(new Texts(List.of("ab", "cd"), 1));
    write(new Texts(List.of("ab", "xy"), 1));
    byte[] first = disk.contents(FIRST);
    byte[] second = disk.contents(SECOND);
    int blockBytes = 3 * Integer.BYTES + 2;
    int endBytes = 3 * Integer.BYTES;
    byte[] mixed = second.clone();
    System.arraycopy(first, 0, mixed, 0, first.length - endBytes - blockBytes);
    assertThat(mixed).as("the same up to the last piece").isEqualTo(second);
    System.arraycopy(first, first.length - endBytes, mixed, mixed.length - endBytes, endBytes);
    disk.put(SECOND, mixed);
    assertThat(found().restored()).isEqualTo(new Texts(List.of("ab", "cd"), 1));
  }

  @Test
  void aDamagedFileNeverCountsAsTheOneBeforeAndIsThereUntilTwoLaterOnesAre() throws IOException {
    write(ONE);
    write(TWO);
    disk.flip(SECOND, 100);
    assertThat(found().restored()).isEqualTo(ONE);
    write(TWO);
    assertThat(disk.names()).containsExactly(FIRST, SECOND, "cart.3.checkpoint");
    disk.flip(FIRST, 100);
    disk.flip("cart.3.checkpoint", 100);
    assertThat(found().restored()).isNull();
    assertThat(found().complaints()).hasSize(3);
    write(ONE);
    assertThat(disk.names()).hasSize(4);
    write(TWO);
    assertThat(disk.names()).containsExactly("cart.4.checkpoint", "cart.5.checkpoint");
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void whenAProcessEndsWhileItWritesTheOneBeforeIsThere(long first) {
    Seeds.forEach(
        first,
        SEEDS,
        seed -> {
          try {
            endAtEachCall(seed);
          } catch (IOException failed) {
            throw new UncheckedIOException("-Dseed=" + seed, failed);
          }
        });
  }

  private static LongStream firstSeeds() {
    return Seeds.first(SEEDS);
  }

  private static void endAtEachCall(long seed) throws IOException {
    boolean isWhole = false;
    for (int calls = 0; !isWhole; calls++) {
      SimDisk crashing = new SimDisk(new SplittableRandom(seed));
      CheckpointFiles written = new CheckpointFiles(crashing, "shop", "cart");
      write(new Texts(List.of("older"), 1), written);
      write(ONE, written);
      crashing.crashAfter(calls);
      try {
        write(TWO, written);
        isWhole = true;
      } catch (SimDisk.CrashException ended) {
        isWhole = false;
      }
      crashing.crash();
      CheckpointFiles again = new CheckpointFiles(crashing, "shop", "cart");
      CheckpointFiles.Found found = again.read(Reading::new);
      assertThat(found.restored())
          .as("-Dseed=%d", seed)
          .isIn(isWhole ? List.of(TWO) : List.of(ONE, TWO));
      assertThat(found.complaints()).isEmpty();
      assertThat(crashing.names()).allMatch(name -> name.endsWith(".checkpoint"));
      write(TWO, again);
      assertThat(crashing.names()).hasSize(2).allMatch(name -> name.endsWith(".checkpoint"));
    }
  }

  @Test
  void aFullDiskLeavesWhatIsThere() throws IOException {
    write(ONE);
    for (long free = 0; free < disk.contents(FIRST).length; free++) {
      disk.free(disk.contents(FIRST).length + free);
      assertThatThrownBy(() -> write(TWO))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("space");
      assertThat(disk.names()).containsExactly(FIRST);
    }
    disk.free(Long.MAX_VALUE);
    write(TWO);
    assertThat(found().restored()).isEqualTo(TWO);
  }

  @Test
  void aFileThatCouldNotBeSyncedIsNotTrustedAndIsWrittenAnew() throws IOException {
    write(ONE);
    disk.failToSync(true);
    assertThatThrownBy(() -> write(TWO)).isInstanceOf(IOException.class);
    assertThat(found().restored()).isEqualTo(ONE);
    disk.failToSync(false);
    write(TWO);
    disk.crash();
    assertThat(found().restored()).isEqualTo(TWO);
  }

  @Test
  void whatIsWrittenInAReadOnlyFolderIsRead() throws IOException {
    write(ONE);
    disk.readOnly(true);
    assertThat(found().restored()).isEqualTo(ONE);
    assertThatThrownBy(() -> write(TWO))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("read-only");
  }

  @Test
  void whatIsNotForThisProcessIsRefusedByNameAndStays() throws IOException {
    write(ONE);
    byte[] ours = disk.contents(FIRST);
    assertThatThrownBy(() -> new CheckpointFiles(disk, "bank", "cart").read(Reading::new))
        .isInstanceOf(ForeignCheckpointException.class)
        .hasMessage(
            "disk/cart.1.checkpoint is of cart of the cluster 'shop', not of cart of the cluster"
                + " 'bank'");
    disk.put("cat.1.checkpoint", ours);
    assertThatThrownBy(() -> new CheckpointFiles(disk, "shop", "cat").read(Reading::new))
        .isInstanceOf(ForeignCheckpointException.class);
    write(new Texts(List.of("unreadable"), 1));
    assertThatThrownBy(this::found)
        .isInstanceOf(ForeignCheckpointException.class)
        .hasMessage(
            "disk/cart.2.checkpoint is whole, but cart cannot read it: map 'carts' has values of"
                + " another type");
    assertThat(disk.names()).contains(FIRST, SECOND);
  }

  @Test
  void aLaterFormatIsRefusedByName() throws IOException {
    write(ONE);
    byte[] later = disk.contents(FIRST);
    later[11] = 2;
    CRC32C checksum = new CRC32C();
    checksum.update(later, 0, 12);
    ByteBuffer.wrap(later).putInt(12, (int) checksum.getValue());
    disk.put(SECOND, later);
    assertThatThrownBy(this::found)
        .isInstanceOf(ForeignCheckpointException.class)
        .hasMessage(
            "disk/cart.2.checkpoint is of format 2, and this version of Tempest reads format 1"
                + " only");
  }

  @Test
  void servicesWithSimilarNamesHaveTheirOwn() throws IOException {
    CheckpointFiles other = new CheckpointFiles(disk, "shop", "cart.1");
    write(TWO, other);
    write(ONE);
    write(ONE);
    write(ONE);
    assertThat(other.read(Reading::new).restored()).isEqualTo(TWO);
    assertThat(found().restored()).isEqualTo(ONE);
  }
}
